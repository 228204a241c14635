/** Polish nouns in other cases. */
export const polish = `
Faktury są wysyłane klientom co miesiąc
+ faktura | klient

Serwery są restartowane w niedzielę
+ serwer

Umowy wygasają z końcem roku
+ umowa

Kopie bazy są robione co noc
+ baza

Użytkownikom wysłano nowe hasło
+ użytkownik

Hasła zmieniamy co trzy miesiące
+ hasło

Płatności są księgowane rano
+ płatność

Zamówienia wysyłamy z magazynu
+ zamówienie

Na spotkaniach zapadają decyzje
+ spotkanie

Raporty przygotowuje zespół analiz
+ raport

Kluczami zarządza zespół bezpieczeństwa
+ klucz
`;
