/** Turkish nouns with endings. */
export const turkish = `
Faturalar her ay müşterilere gönderilir
+ fatura | müşteri

Sunucuların bakımı pazar günü yapılır
+ sunucu

Veritabanındaki kayıtlar her gece yedeklenir
+ veritabanı

Kullanıcılara yeni parola gönderildi
+ kullanıcı

Sözleşmelerin süresi yıl sonunda bitiyor
+ sözleşme

Toplantılarda karar alındı
+ toplantı

Raporlarımız her cuma hazırlanır
+ rapor

Ödemelerden komisyon alınmaz
+ ödeme

Siparişleri depodan gönderiyoruz
+ sipariş

Fatura müşteriye gönderildi
+ faturalar

Anahtarlarını kasada saklıyoruz
+ anahtar
`;
