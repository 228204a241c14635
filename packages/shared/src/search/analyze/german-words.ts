/**
 * Parts of German compounds in the texts of teams: nouns, and stems of verbs and adjectives that come first. The list
 * has a compound as one word where its parts mean something else: a search for `Bank` should not find `Datenbank`.
 */
export const compoundWords: readonly string[] =
  `
datenbank netzwerk schnittstelle bildschirm festplatte passwort kennwort zeitstempel fragebogen stichwort tastatur
werkzeug fahrzeug flugzeug spielzeug feuerzeug handbuch tagebuch stundenplan hauptstadt standort wohnort geburtstag
feiertag werktag arbeitstag fahrrad krankenhaus bahnhof handschuh kindergarten rechtsanwalt zusammenarbeit augenblick
mittagessen abendessen frühstück wochenende jahreszeit hochzeit mahlzeit mitarbeiter arbeitgeber arbeitnehmer
lieferschein führerschein gutschein rückmeldung mehrwert grundlage unterlage lebenslauf rathaus spielplatz
sackgasse schlüsselwort merkmal mitglied rechenzentrum lesezeichen zeitraum zeitpunkt stellwerk kraftwerk
schreibtisch rucksack regenschirm handtuch kühlschrank dachboden nachricht nachrichten ehrenamt

daten datei dateien nummer dienst server client rechner computer speicher prozess prozessor programm system software hardware
anwendung oberfläche fenster maske formular feld tabelle spalte zeile zelle index schema abfrage anfrage antwort aufruf
ergebnis wert zahl ziffer zeichen text wort satz sprache schrift seite blatt dokument bericht liste verzeichnis ordner
pfad verweis adresse name kennung schlüssel zertifikat signatur token sitzung anmeldung abmeldung registrierung
berechtigung rolle recht rechte zugang zugriff freigabe sperre konto benutzer nutzer anwender kunde kunden mandant
lieferant partner händler hersteller verkäufer käufer besucher bewerber teilnehmer gast gäste patient schüler lehrer
student kollege team gruppe abteilung bereich leitung leiter chef vorstand betrieb unternehmen firma gesellschaft verein
verband behörde amt ministerium gericht polizei bank börse versicherung kasse post bahn

zahlung rechnung mahnung erinnerung buchung buchhaltung abrechnung überweisung lastschrift erstattung gutschrift
rückzahlung steuer umsatz gewinn verlust kosten preis rabatt betrag summe gebühr gehalt lohn kredit karte geld währung
zins miete kauf verkauf einkauf bestellung auftrag angebot vertrag kündigung lieferung versand sendung paket retoure
ware lager bestand artikel produkt katalog warenkorb etikett verpackung spedition transport fracht zoll

verwaltung verarbeitung bearbeitung erfassung erkennung erstellung erzeugung prüfung überprüfung kontrolle überwachung
sicherung sicherheit wiederherstellung wartung pflege reparatur installation einrichtung einstellung konfiguration
aktualisierung umstellung umwandlung übertragung übersetzung übermittlung weiterleitung verschlüsselung berechnung
auswertung messung schätzung planung steuerung regelung führung schulung ausbildung beratung betreuung unterstützung
besprechung versammlung verhandlung vereinbarung verpflichtung haftung genehmigung zulassung ablehnung
bewertung beurteilung befragung umfrage meldung benachrichtigung störung fehler ausfall unfall vorfall notfall schaden
problem lösung ursache grund folge wirkung änderung anpassung erweiterung entwicklung entwurf umsetzung einführung
migration integration version ausgabe auflage freischaltung bereitstellung veröffentlichung auslieferung löschung
archivierung aufbewahrung aufzeichnung protokoll protokollierung verbindung unterbrechung begrenzung grenze
schwelle beschränkung ausnahme bedingung anforderung vorgabe vorschrift richtlinie regel gesetz verordnung norm standard
muster vorlage beispiel versuch test tester umgebung produktion qualität leistung geschwindigkeit laufzeit antwortzeit
verfügbarkeit zuverlässigkeit stabilität kapazität auslastung last verteiler verteilung vermittler ereignis auslöser
warteschlange aufgabe vorgang ablauf schritt stufe phase ziel plan projekt termin frist datum uhr zeit stunde minute
sekunde tag woche monat jahr quartal nacht morgen abend mittag anfang beginn start ende schluss abschluss dauer pause
urlaub arbeit beruf karriere personal stelle bewerbung unterricht schule hochschule universität kurs zeugnis

haus wohnung zimmer raum küche keller garten dach tür fenster wand boden treppe möbel tisch stuhl schrank bett lampe
licht strom wasser gas heizung klima wärme kälte luft wetter regen schnee wind sonne feuer brand rauch lärm müll abfall
auto wagen bus zug straße straßen brücke tunnel verkehr parkplatz ampel fahrt fahrer reise flug flughafen hafen schiff
strecke linie fahrplan fahrkarte ticket hotel restaurant essen getränk kaffee tee milch brot fleisch gemüse obst zucker
arzt ärzte praxis klinik pflegekraft krankheit kranken gesundheit medizin apotheke zahn blut herz rücken
familie eltern kinder kind mutter vater bruder schwester freund freunde nachbar hund katze tier tiere pflanze baum wald
stadt land staat gemeinde region gebiet ort platz markt laden geschäft büro werk fabrik halle maschine motor anlage
gerät geräte sensor kamera drucker treiber bildschirm telefon handy kabel akku batterie modul bauteil ersatzteil material
metall holz papier kunststoff farbe farben größe länge breite höhe gewicht form bild bilder foto video film musik ton
stimme gespräch anruf brief botschaft zeitung zeitschrift buch bücher kapitel titel anzeige werbung kampagne

web netz internet cloud code quelle quell bau bauplan gerüst kern rahmen kopf fuß haupt neben teil einzel gesamt grund
basis schicht ebene block kette baum knoten kante graph stapel puffer zwischenspeicher fern nah schnell lang kurz hoch
tief groß klein alt neu voll leer roh fest flüssig innen außen eigen fremd privat public massen voraus rück
lade lese schreib such sprach bild druck mess prüf zähl rechen lauf fahr flug sprech schalt start lösch sicherungs spar
wechsel filter sortier kontakt status zustand stand stempel marke logo muster vorschau übersicht menü knopf schalter
schaltfläche hilfe suche eingabe auswahl abbruch wiederholung versionierung zuordnung zuständigkeit verantwortung
erfahrung wissen kenntnis fähigkeit schulden schuld bedarf nachfrage vorrat ressource budget investition bilanz
wirtschaft handel industrie technik technologie wissenschaft forschung umwelt energie öl kraft stoff chemie physik
lizenz patent urheber datenschutz schutz gefahr risiko bedrohung angriff betrug missbrauch verdacht beweis nachweis
beleg quittung ausweis pass visum antrag bescheid beschwerde klage urteil strafe wahl partei politik
treffen termine kalender einladung zusage absage feier fest geschenk verlängerung kundendienst gewähr garantie
beschleunigung optimierung grafik erklärung beschreibung anleitung hinweis warnung verständnis bezug beitrag kennzahl
erfolg fortschritt stillstand neustart portal journal konsole plattform
`.match(/\S+/g) ?? [];
