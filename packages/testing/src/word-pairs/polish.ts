/** Polish nouns in other cases. */
export const polish = `
Faktury są wysyłane klientom co miesiąc
+ faktura | klient
- faktycznie | miasto

Serwery są restartowane w niedzielę
+ serwer
- serwetka | serce

Umowy wygasają z końcem roku
+ umowa
- umywalka | rokosz

Kopie bazy są robione co noc
+ baza
- kopalnia | bazar

Użytkownikom wysłano nowe hasło
+ użytkownik
- użytek | hasanie

Hasła zmieniamy co trzy miesiące
+ hasło
- hamak | trzysta

Płatności są księgowane rano
+ płatność
- płatki | ranek

Zamówienia wysyłamy z magazynu
+ zamówienie
- zamek | magiel

Na spotkaniach zapadają decyzje
+ spotkanie
- spodnie | decybel

Raporty przygotowuje zespół analiz
+ raport
- rapier | analogia

Kluczami zarządza zespół bezpieczeństwa
+ klucz
- kluska | zespolony
`;
