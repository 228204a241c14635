/** Turkish nouns with endings. */
export const turkish = `
Faturalar her ay müşterilere gönderilir
+ fatura | müşteri
- fatih | müşavir

Sunucuların bakımı pazar günü yapılır
+ sunucu
- sunum | bakkal

Veritabanındaki kayıtlar her gece yedeklenir
+ veritabanı
- veri | kaynak

Kullanıcılara yeni parola gönderildi
+ kullanıcı
- kullanım | parlak

Sözleşmelerin süresi yıl sonunda bitiyor
+ sözleşme
- sözlük | yıldız

Toplantılarda karar alındı
+ toplantı
- toplam | karanlık

Raporlarımız her cuma hazırlanır
+ rapor
- raptiye | cumhuriyet

Ödemelerden komisyon alınmaz
+ ödeme
- ödenek | komik

Siparişleri depodan gönderiyoruz
+ sipariş
- sipahi | depozito

Fatura müşteriye gönderildi
+ faturalar
- fatih | müşavir

Anahtarlarını kasada saklıyoruz
+ anahtar
- anahtarlık | kasaba
`;
