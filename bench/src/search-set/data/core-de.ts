/** German: memories and questions written by hand, in the form of `parse.ts`. */
export const germanCore = `
constraint
> Zugangsdaten dürfen niemals in Protokolldateien landen, auch nicht auf der Stufe debug.
forms ? Zugangsdaten im Protokoll
paraphrase ? darf man Passwörter zur Fehlersuche ausgeben

decision
> Geldbeträge speichern wir als ganze Cent, weil Gleitkommazahlen bei der Lohnabrechnung drei Cent verloren haben.
forms ? Speicherung von Geldbetrag
paraphrase ? warum keine Kommazahlen für Preise

fact
> Die Datensicherung läuft jede Nacht um 2:10 Uhr und wird in ein zweites Rechenzentrum kopiert.
forms ? Sicherung der Daten
paraphrase ? wohin gehen die nächtlichen Backups

preference
> Gutachter wünschen sich kleine Änderungen, höchstens vierhundert Zeilen und nur ein Thema.
forms ? Größe einer Änderung
paraphrase ? wie umfangreich darf ein Pull Request sein

constraint
> Datenbankmigrationen müssen eine Version lang rückwärtskompatibel sein, da alte und neue Instanzen nebeneinander laufen.
forms ? Migration der Datenbank
paraphrase ? kann ich eine Spalte sofort löschen

fact
> Der Kundendatenbankserver steht in Halle 2 und wird vom Betrieb am ersten Dienstag im Monat neu gestartet.
forms ? Neustart der Kundendatenbank
paraphrase ? an welchem Wochentag wird der Server in Halle 2 gebootet

fact
> Zahlungserinnerungen gehen vierzehn Tage nach Fälligkeit automatisch hinaus.
forms ? Erinnerung an eine Zahlung
paraphrase ? wann mahnen wir säumige Kunden

decision
> Für die Benutzeroberfläche nehmen wir Webkomponenten, damit beide Produkte dieselben Schaltflächen haben.
forms ? Oberfläche für Benutzer
paraphrase ? weshalb sehen die Knöpfe überall gleich aus

working_note
> Nächster Schritt bei der Rechnungsprüfung: die Umsatzsteuersätze von Österreich ergänzen.
forms ? Prüfung der Rechnungen
paraphrase ? was fehlt noch für die Mehrwertsteuer im Nachbarland

fact
> Die Sicherheitsüberprüfung der Schnittstellen hat Frau Dr. Öztürk im März abgeschlossen.
names ? Öztürk
forms ? Überprüfung der Sicherheit

constraint
> Die Aufbewahrungsfrist für Verbindungsdaten beträgt sieben Tage, danach werden sie unwiderruflich gelöscht.
forms ? Frist für die Aufbewahrung
paraphrase ? wie lange heben wir Verbindungsinformationen auf

preference
> Herr Brückner möchte Entwürfe ausgedruckt auf dem Tisch haben und liest nichts am Bildschirm.
names ? Brueckner Entwurf
paraphrase ? wer mag kein digitales Lesen

fact
> Der Wasserkocher in der Teeküche ist kaputt, bis der neue kommt, steht einer im Besprechungsraum Elbe.
forms ? Wasserkocher in der Küche
paraphrase ? wo kann ich mir heißes Wasser machen

decision
> Wir verzichten auf Kafka; zweitausend Ereignisse am Tag rechtfertigen keinen eigenen Vermittler.
forms ? Verzicht auf Kafka
paraphrase ? Grund gegen einen Nachrichtenbroker

constraint
> Personenbezogene Daten dürfen nur nach Abschluss eines Auftragsverarbeitungsvertrags an Dienstleister gehen.
forms ? Vertrag zur Auftragsverarbeitung
paraphrase ? was muss unterschrieben sein, bevor ein Lieferant Kundendaten sieht

fact
> Die Bereitschaft wechselt mittwochs um zwölf, übergeben wird in einem Gespräch von einer Viertelstunde.
forms ? Wechsel der Rufbereitschaft
paraphrase ? wann gebe ich den Notdienst weiter

fact
> Großmutter wird am 12. September 2026 neunzig, gefeiert wird ab drei Uhr im Gemeindehaus.
dates ? Geburtstag am 12. September
paraphrase ? wo feiern wir Omas Jubiläum

fact
> Die Testumgebung wird jeden Sonntag neu aufgebaut; von Hand angelegte Datensätze sind danach weg.
forms ? Aufbau der Testumgebungen
paraphrase ? warum sind meine manuellen Einträge am Montag verschwunden

preference
> Unsere Gestalterin Paulina will Anmerkungen direkt in Figma und nicht im Gruppenchat.
names ? Paulina Anmerkung
paraphrase ? wo soll ich die Designerin auf Fehler hinweisen

decision
> Zeitstempel liegen in UTC mit Millisekunden in der Datenbank und werden in der Zeitzone des Betrachters gezeigt.
forms ? Anzeige der Zeitzonen
paraphrase ? speichern wir die Ortszeit

fact
> Der Druckertreiber für das Etikettengerät braucht Windows 11; auf dem alten Rechner am Wareneingang läuft er nicht.
forms ? Treiber des Druckers
paraphrase ? weshalb lassen sich im Lager keine Etiketten drucken

constraint
> Das Löschkonzept verlangt, dass Bewerbungsunterlagen sechs Monate nach der Absage vernichtet werden.
forms ? Unterlagen von Bewerbern löschen
dates ? was passiert nach sechs Monaten

working_note
> Offen vor der Wirtschaftsprüfung: Signaturschlüssel tauschen, Unterauftragnehmer auflisten, Berechtigungen durchsehen.
forms ? Tausch der Schlüssel für die Signatur
paraphrase ? Vorbereitung auf die Revision

fact
> Der Lastverteiler trennt untätige Verbindungen nach sechzig Sekunden, deshalb senden wir alle zwanzig ein Lebenszeichen.
forms ? getrennte Verbindung am Lastverteiler
paraphrase ? wozu dient der Herzschlag im Ereignisstrom

fact
> Die Arbeitszeiterfassung ist seit 1. April 2026 Pflicht und läuft über das Personalportal.
dates ? seit April 2026 Pflicht
forms ? Erfassung der Arbeitszeit

preference
> Für Diagramme benutzen wir farbenblindensichere Farbpaletten und nie nur Rot gegen Grün.
forms ? Farben im Diagramm
paraphrase ? wie zeichnen wir barrierefreie Kurven

decision
> Der Monolith bleibt, nur die Berichtserstellung wurde ausgelagert, weil sie anders wächst.
forms ? Erstellung der Berichte
paraphrase ? kommen bei uns Microservices

constraint
> Änderungen an der Anmeldung brauchen zwei Freigaben, eine davon von der Sicherheitsgruppe.
forms ? Freigabe einer Anmeldeänderung
paraphrase ? wie viele Leute müssen beim Login zustimmen

fact
> Die Lesekopie hinkt am Monatsende bis zu vier Sekunden hinterher, wenn die Buchhaltung abschließt.
forms ? Lesekopien am Ende des Monats
paraphrase ? wieso sind die Zahlen am Ultimo veraltet

fact
> Svens Wagen hat das Kennzeichen HH-KL 204, er hat den Schlüssel zum Fahrradkeller.
names ? HH-KL 204
forms ? Kellerschlüssel für Fahrräder

fact
> ladeBestellung in src/bestellung/laden.ts liest die Positionen einzeln, das sind hundert Abfragen je Seite.
names ? lade bestellung
paraphrase ? weshalb ist die Auftragsseite so träge

decision
> Die Versandkostenberechnung bleibt beim Spediteur, wir rufen nur seine Schnittstelle auf.
forms ? Berechnung der Versandkosten
paraphrase ? wer bestimmt den Preis einer Lieferung

preference
> Commit-Nachrichten stehen im Imperativ und sagen warum, nicht was.
forms ? Nachricht eines Commits
paraphrase ? Stilregeln für die Versionsgeschichte

fact
> Hund Bruno fürchtet sich vor Gewitter und liegt dann unter dem Tisch in Raum 3.
names ? Brunos Gewitterangst
paraphrase ? welches Tier hat Angst bei Donner

constraint
> Dateien über 25 MB weist das Gateway ab; größere gehen über einen signierten Verweis.
forms ? Datei ist zu groß
dates ? Grenze von 25 MB

fact
> Die Straßenbahnlinie 7 hält direkt vor dem neuen Büro an der Königsallee.
forms ? Straßenbahnen zum Büro
names ? Koenigsallee

fact
> Die Krankenversicherungsnummer darf im Bewerbungsformular nicht abgefragt werden.
forms ? Nummer der Krankenversicherung
paraphrase ? welche Angabe ist auf dem Fragebogen für Kandidaten verboten

working_note
> Der Ladebildschirm flackert auf alten Geräten, Lena prüft die Grafikbeschleunigung.
forms ? flackernder Bildschirm beim Laden
names ? Lena Grafik

fact
> Die Lieferantenbewertung fällt einmal im Jahr an, zuständig ist der Einkauf in Graz.
forms ? Bewertung der Lieferanten
paraphrase ? wer benotet unsere Zulieferer

decision
> Der Wochenbericht entfällt, stattdessen gibt es freitags eine kurze Vorführung.
forms ? Bericht der Woche
paraphrase ? was ersetzt das schriftliche Update

fact
> Das Speichermodul des Messgeräts fasst zehntausend Messwerte und überschreibt dann die ältesten.
forms ? Messgeräte Speicher
paraphrase ? was geschieht, wenn der Sensor voll ist
`;
