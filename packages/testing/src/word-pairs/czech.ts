/** Czech nouns in other cases. */
export const czech = `
Faktury posíláme zákazníkům každý měsíc
+ faktura | zákazník
- fakt | měsíček

Servery restartujeme v neděli
+ server
- servírka | nedorozumění

Smlouvy končí na konci roku
+ smlouva
- smlátit | rokoko

Zálohu databází děláme každou noc
+ databáze
- zákon | datum

Uživatelům jsme poslali nové heslo
+ uživatel
- užitek | noviny

Hesla měníme po třech měsících
+ heslo
- heslař | třetina

Platby se účtují ráno
+ platba
- plát | ráže

Objednávky odesíláme ze skladu
+ objednávka
- objednat | sklep

Na schůzkách se rozhoduje
+ schůzka
- schody | rozhovor

Zprávami se zabývá tým podpory
+ zpráva
- zpravodaj | bezbarvý

Klíči spravuje bezpečnostní tým
+ klíč
- klid | bezpečí
`;
