/** German: two members of a club plan the renovation of its boathouse. In the form of `../parse.ts`. */
export const germanConversation = `
> Servus, wartest du schon lange vor dem Bootshaus?
> Nur ein paar Minuten, die Sonne scheint ja.
> Hast du kurz Zeit für das Bootshaus, bevor die anderen kommen?
> Klar, ich habe den Ordner mit den Angeboten dabei.
> Fangen wir mit dem Dach an. Wie viele Angebote haben wir für das Dach vom Bootshaus?
> Drei, aber eines davon ist nur für Ziegel.
? wie viele Angebote für das Dach vom Bootshaus sind nur für Ziegel
> Ziegel sind zu schwer, das hat der Statiker schon beim letzten Umbau gesagt.
> Welches Angebot für das Dach ist am günstigsten, wenn man das Gerüst mitrechnet?
> Das von Brandl, knapp neunzehntausend.
? welches Angebot für das Dach liegt knapp unter neunzehntausend
> Brandl hat auch das Dach vom Kindergarten gemacht, und die waren zufrieden.
> Wann könnte Brandl mit dem Dach anfangen, noch vor der Saison?
> In der zweiten Märzwoche, wenn kein Schnee mehr liegt.
? kann Brandl mit dem Dach anfangen, wenn kein Schnee mehr liegt
> Dann müssen die Boote bis Ende Februar aus dem Bootshaus heraus sein.
> Wo lagern wir die Boote so lange, bis das Dach fertig ist?
> In der Scheune vom Huber, er verlangt nichts dafür.
? in welcher Scheune lagern die Boote, bis das Dach fertig ist
> Sehr nett von ihm. Wie viele Boote passen in die Scheune?
> Alle bis auf den Achter, der ist zu lang.
? welches Boot ist zu lang für die Scheune
> Der Achter könnte unter einer Plane am Steg liegen.
> Wer besorgt eine Plane, die für den Achter groß genug ist?
> Meine Schwester arbeitet beim Segelmacher, sie fragt nach.
? wer fragt beim Segelmacher nach einer Plane für den Achter
> Gut. Kommen wir zum Steg, der ist auch nicht mehr der jüngste.
> Wie viele Bretter vom Steg sind morsch?
> Elf, und zwei weitere wackeln.
? wie viele Bretter vom Steg wackeln oder sind morsch
> Den Steg können wir selbst reparieren, dafür brauchen wir keine Firma.
> An welchem Wochenende machen wir den Arbeitseinsatz am Steg?
> Am letzten im April, da ist das Wasser niedrig.
? an welchem Wochenende ist für den Arbeitseinsatz am Steg das Wasser niedrig
> Ich trage den Arbeitseinsatz in den Kalender ein und schreibe den Mitgliedern.
> Wie viele Mitglieder brauchen wir für den Arbeitseinsatz mindestens?
> Acht, besser zehn, sonst schaffen wir es nicht.
? schaffen wir den Arbeitseinsatz mit acht Mitgliedern
> Zehn Mitglieder bekommen wir nur, wenn es etwas zu essen gibt.
> Wer kümmert sich um das Essen beim Arbeitseinsatz?
> Ingrid macht Gulasch, wie immer.
? wer macht Gulasch zum Arbeitseinsatz
> Dann kommen sogar fünfzehn. Jetzt zum Geld, das ist der unangenehme Teil.
> Wie viel Geld liegt noch in der Rücklage vom Verein?
> Vierundzwanzigtausend, Stand gestern.
? wie viel Geld lag gestern in der Rücklage vom Verein
> Für das Dach reicht die Rücklage, für die Heizung dann nicht mehr.
> Was kostet die neue Heizung im Bootshaus laut Angebot?
> Gut elftausend, ohne den Kamin.
? was kostet die neue Heizung ohne den Kamin
> Gibt es für die Heizung einen Zuschuss von der Gemeinde?
> Ja, ein Drittel, aber man muss ihn vor dem Auftrag beantragen.
? welches Drittel zahlt die Gemeinde als Zuschuss für die Heizung
> Bis wann muss der Antrag für den Zuschuss bei der Gemeinde sein?
> Fünfzehnter Januar, und sie nehmen nur Papier.
? bis wann nimmt die Gemeinde den Antrag für den Zuschuss auf Papier
> Dann schreibe ich den Antrag noch vor Weihnachten.
> Wer unterschreibt den Antrag, du oder die Kassiererin?
> Beide, so steht es in der Satzung.
? wer unterschreibt laut Satzung den Antrag für den Zuschuss
> Die Satzung sagt auch, dass Ausgaben über fünftausend vor die Versammlung müssen.
> Wann ist die nächste Versammlung vom Verein?
> Am ersten Freitag im Dezember, im Gasthaus zur Post.
? an welchem Freitag ist die nächste Versammlung vom Verein
> Zur Versammlung sollten wir Bilder vom Dach mitbringen.
> Wer hat die Bilder vom Loch im Dach gemacht?
> Der junge Maier, mit seiner Drohne.
? wer hat mit der Drohne die Bilder vom Loch im Dach gemacht
> Perfekt, die Drohne hat sich also gelohnt.
> Was sagen wir den Mitgliedern, wenn jemand nach höheren Beiträgen fragt?
> Dass sie bleiben, wie sie sind, mindestens zwei Jahre.
? bleiben die Beiträge der Mitglieder die nächsten Jahre gleich
> Das hören alle gern. Die Jugend wünscht sich übrigens neue Umkleiden.
> Wie alt sind die Umkleiden im Bootshaus eigentlich?
> Von 1974, mit den ersten Fliesen.
? haben die Umkleiden im Bootshaus noch die ersten Fliesen
> Die Fliesen in den Umkleiden sind wenigstens wieder modern.
> Können die Umkleiden bis nach der Saison warten?
> Müssen sie, wir haben weder Geld noch Leute.
? haben wir Geld und Leute für die Umkleiden
> Aber die Duschen in den Umkleiden tropfen, das sollten wir bald machen.
> Wer kann die Duschen reparieren, ohne dass es viel kostet?
> Kemal ist Installateur, er macht es für einen Kasten Bier.
? welcher Installateur kann die Duschen reparieren
> Den Kasten Bier zahle ich. Was ist mit dem Strom im Bootshaus?
> Der Elektriker hat den Kasten mit den Sicherungen geprüft.
> Was hat der Elektriker zu den Sicherungen gesagt?
> Alles muss raus, die Leitungen sind noch aus Aluminium.
? müssen laut Elektriker alle Leitungen bei den Sicherungen raus
> Das wird teuer. Macht der Elektriker uns wenigstens ein Angebot?
> Er schickt es bis Mittwoch, hat er versprochen.
? schickt der Elektriker das Angebot bis Mittwoch
> Dann warten wir mit der Heizung, bis das Angebot vom Elektriker da ist.
> Eine Solaranlage auf dem neuen Dach hat auch jemand vorgeschlagen.
> Wer hat die Solaranlage auf dem Dach vorgeschlagen?
> Der Vater von Jonas, er verkauft solche Module.
? wer verkauft Module und hat die Solaranlage auf dem Dach vorgeschlagen
> Ach so. Trägt das Dach eine Solaranlage überhaupt?
> Nach der Statik schon, solange es keine Ziegel sind.
? trägt das Dach nach der Statik eine Solaranlage
> Dann sollten wir die Leitungen für die Solaranlage gleich mitlegen.
> Guter Punkt, das sage ich Brandl und dem Elektriker.
> Wie ist es mit der Versicherung, deckt sie die Boote in der Scheune?
> Nur gegen Feuer, nicht gegen Diebstahl.
? deckt die Versicherung der Boote in der Scheune auch Diebstahl
> Dann brauchen wir ein gutes Schloss an der Scheune.
> Wo bekommen wir so ein Schloss für die Scheune, im Baumarkt?
> Ich habe noch eins vom alten Vereinsheim.
? haben wir vom alten Vereinsheim noch ein Schloss für die Scheune
> Wer bekommt einen Schlüssel für die Scheune?
> Du, ich und die Trainerin, sonst keiner.
? bekommt außer der Trainerin keiner einen Schlüssel für die Scheune
> Die Trainerin braucht ohnehin jeden Tag ein Boot.
> Wo trainiert die Jugend, solange das Bootshaus zu ist?
> Beim Nachbarverein in Seeham, dienstags und freitags.
? bei wem trainiert die Jugend dienstags, solange das Bootshaus zu ist
> Der Nachbarverein ist großzügig. Was will er dafür haben?
> Zwei Startplätze bei unserer Regatta.
? wie viele Startplätze will der Nachbarverein dafür haben
> Die Regatta ist dieses Jahr im September, oder?
> Im September, ja, aber das genaue Datum hängt vom Landesverband ab.
> Wann entscheidet der Landesverband über das Datum der Regatta?
> Mitte Februar, in der Sitzung in Linz.
? in welcher Sitzung entscheidet der Landesverband über das Datum der Regatta
> Bis zur Regatta muss das Bootshaus auf jeden Fall fertig sein.
> Was machen wir, wenn das Dach bis zur Regatta nicht fertig ist?
> Zelte vom Roten Kreuz, ich habe schon gefragt.
? wer leiht uns Zelte, wenn das Dach bis zur Regatta nicht fertig ist
> Beruhigend. Wer schreibt das Protokoll von heute?
> Das mache ich, du hast schon den Antrag.
> Dann brauche ich noch eine Liste der Firmen mit Telefonnummern.
> Hängt am Kühlschrank im Vereinsheim.
? hängt irgendwo eine Liste der Firmen mit Telefonnummern
> Die Fenster im Bootshaus sind auch undicht, besonders zum See hin.
> Wie viele Fenster zum See hin sind undicht?
> Vier, der Kitt ist überall ausgebröckelt.
? bei wie vielen Fenstern zum See hin ist der Kitt ausgebröckelt
> Neuen Kitt können wir beim Arbeitseinsatz einstreichen.
> Dafür braucht es nur zwei Leute und etwas Geduld.
> Hat die Gemeinde eigentlich etwas gegen die Farbe der neuen Fassade?
> Grün ist erlaubt, solange es nicht glänzt.
? welche Farbe der Fassade ist bei der Gemeinde erlaubt
> Dann bleibt das Bootshaus grün, wie auf den alten Postkarten.
> Die Postkarten könnten wir auf der Versammlung verkaufen.
> Gute Idee, ein paar Euro für die Rücklage.
> Wie steht es um die Ruder, wir wollten doch neue bestellen?
> Die Ruder sind bestellt, sie kommen aus Italien.
> Wann kommen die Ruder aus Italien an?
> Kurz vor Ostern, wenn der Zoll mitspielt.
? kommen die Ruder aus Italien vor Ostern an
> Haben wir etwas vergessen, vielleicht die Küche?
> Die Küche ist in Ordnung, nur der Herd spinnt manchmal.
> Dann lassen wir den Herd, bis er ganz aufgibt.
> So machen wir es. Kommst du am Samstag zum Rudern?
> Wenn der Nebel weg ist, um acht am Steg.
> Bring Handschuhe mit, das Wasser hat sechs Grad.
`;
