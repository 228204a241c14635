/** German compounds and what they are made of; inflections and umlauts, too. */
export const german = `
Der Kundendatenbankserver wird am Wochenende neu gestartet.
+ Datenbank | Kunde | Kunden | Server | Kundendatenbank | Datenbankserver | Datenbanken
- Bank | Daten | Wochenmarkt

Zahlungserinnerungen gehen nach vierzehn Tagen hinaus.
+ Zahlung | Erinnerung | Zahlungserinnerung | Zahlungen | Erinnerungen
- Innerung | Zahl

Die Rechnungsprüfung dauert zwei Tage.
+ Rechnung | Prüfung | Rechnungen | Pruefung | prufung
- Prüfer | Rechner

Der Sicherheitsbeauftragte hat zugestimmt.
+ Sicherheit | Sicherheitsbeauftragter
- Sicherung | Auftrag

Wir brauchen eine neue Benutzeroberfläche.
+ Oberfläche | Benutzer | Oberflächen | Oberflaeche
- Fläche | nutzen

Die Aufbewahrungsfrist beträgt sieben Jahre.
+ Aufbewahrung | Frist | Fristen | Aufbewahrungsfristen
- Wahrung | Rist

Das Löschkonzept liegt im Ordner.
+ Löschkonzept | Konzept | Loeschkonzept
- Konzert | Loch

Die Krankenversicherungsnummer fehlt noch.
+ Versicherung | Nummer | Krankenversicherung | Versicherungsnummer
- Sicherung | Krankenwagen

Unsere Straßenbahnlinie fährt am Sonntag nicht.
+ Straßenbahn | Linie | Strassenbahn
- Bahnhof | Leine

Die Arbeitszeiterfassung ist Pflicht.
+ Arbeitszeit | Erfassung | Zeiterfassung
- Fassung | Albert

Der Vertragsentwurf liegt beim Anwalt.
+ Vertrag | Entwurf | Verträge
- Wurf | Ertrag

Datenschutzbeauftragte ist Frau Öztürk.
+ Datenschutz | Oeztuerk | Ozturk
- Schutzhelm | Schutt

Das Berechtigungskonzept wurde überarbeitet.
+ Berechtigung | Konzept | Berechtigungen
- Gerechtigkeit | Richtung

Die Authentifizierungsschicht ist alt.
+ Authentifizierung | Schicht
- Zierung | Geschichte

Für das Kundenportal gibt es eine Wartungsseite.
+ Portal | Wartung | Kunden | Seite
- Warte | Saite

Die Lieferantenbewertung steht aus.
+ Lieferant | Bewertung | Lieferanten | Bewertungen
- Wertung | Lieder

Im Besprechungsraum steht ein Drucker.
+ Besprechung | Raum | Räume
- Sprechstunde | Traum

Umsatzsteuersätze ändern sich im Juli.
+ Umsatzsteuer | Umsatz | Steuer | Steuersatz
- Ersatz | teuer

Das Einwilligungsregister ist unvollständig.
+ Einwilligung | Register
- Willi | Regisseur

Alle Mitarbeiter erhalten neue Zugangskarten.
+ Mitarbeiter | Zugang | Karte | Karten
- Arbeit | Gang

Die Qualitätssicherung meldet drei Fehler.
+ Qualität | Sicherung | Qualitaet
- Qual | Versicherung

Der Fahrradkeller bleibt geschlossen.
+ Fahrrad | Keller
- Rad | Kellner

Die Lohnabrechnung kommt am Monatsende.
+ Lohn | Abrechnung | Monat | Löhne
- Rechnung | Rechen

Wir testen die Spracherkennung im Auto.
+ Sprache | Erkennung
- Kennung | Rache

Die Produktionsdatenbank ist voll.
+ Produktion | Datenbank | Datenbanken
- Produkt | Bank

Der Schlüsselverwaltungsdienst läuft wieder.
+ Schlüssel | Verwaltung | Dienst | Schlüsselverwaltung
- Walter | Dienstag

Geräteverwaltung und Lagerabgleich sind verbunden.
+ Gerät | Verwaltung | Lager
- Rat | Gleis

Das Entwicklungsteam trifft sich dienstags.
+ Entwicklung | Team
- Wicklung | Tee

Die Kfz-Haftpflichtversicherung wurde gekündigt.
+ Versicherung | Haftpflichtversicherung | Kfz
- Pflichten

Die Vorstandssitzung ist am Montag, der Tresorschlüssel liegt bei Anna.
+ Sitzung | Schlüssel
- Vorsicht | Tresen

Die Schlussrechnung nennt die Transportkosten.
+ Rechnung | Kosten
- Schlüssel | Transparenz
`;
