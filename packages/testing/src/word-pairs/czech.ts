/** Czech nouns in other cases. */
export const czech = `
Faktury posíláme zákazníkům každý měsíc
+ faktura | zákazník

Servery restartujeme v neděli
+ server

Smlouvy končí na konci roku
+ smlouva

Zálohu databází děláme každou noc
+ databáze

Uživatelům jsme poslali nové heslo
+ uživatel

Hesla měníme po třech měsících
+ heslo

Platby se účtují ráno
+ platba

Objednávky odesíláme ze skladu
+ objednávka

Na schůzkách se rozhoduje
+ schůzka

Zprávami se zabývá tým podpory
+ zpráva

Klíči spravuje bezpečnostní tým
+ klíč
`;
