import type { LanguageTopics } from '../shapes.ts';

/** German: what the generated memories are about. The form is that of `generate.ts`. */
export const germanTopics: LanguageTopics = {
  slots: {
    team: 'Plattform|Zahlungsverkehr|Einkauf|Datenanalyse|Betrieb|Kundendienst|Sicherheit|Logistik|Buchhaltung|Personal',
    database: 'PostgreSQL 16|MySQL 8|MongoDB|Redis|SQLite|Oracle|MariaDB|Cassandra|ClickHouse|Elasticsearch',
    day: 'Montag|Dienstag|Mittwoch|Donnerstag|Freitag',
    hour: '6:30 Uhr|7:15 Uhr|8:45 Uhr|10 Uhr|11:30 Uhr|13:15 Uhr|14 Uhr|16:45 Uhr|18:20 Uhr|21 Uhr',
    cause:
      'ein abgelaufenes Zertifikat|eine volle Festplatte|ein fehlender Index|ein Speicherleck|ein falscher Schalter|eine Änderung im DNS|eine Verklemmung|ein defekter Zeitplan',
    number: '20|45|75|90|120|150|250|400|600|900|1500|3000',
    library: 'Fastify|Express|Spring Boot|gRPC|GraphQL|Kafka|RabbitMQ|NATS|Prisma|Drizzle|Terraform|Pulumi',
    reason:
      'der Wartbarkeit|der besseren Nachverfolgung|der Kosten|der Lizenz|des kleineren Abbilds|der schnellen Starts|der einfachen Aktualisierung',
    drink: 'Hafermilchkaffee|grünen Tee|Mineralwasser|schwarzen Kaffee|Pfefferminztee|heiße Schokolade',
    channel:
      'per E-Mail|über den Teamchat|telefonisch|mit einem Kommentar im Ticket|im Videogespräch|per Kurznachricht',
    city: 'Hamburg|Leipzig|Wien|Zürich|Köln|Dresden|Graz|Bern|Nürnberg|Bremen|Freiburg|Linz',
    skill:
      'Barrierefreiheit|Netzwerktechnik|Datenschutz|Abfrageoptimierung|Bedrohungsanalyse|Typografie|Lasttests|Verschlüsselung|Projektplanung|Spracherkennung',
    blocker:
      'die Freigabe des Entwurfs|neue Hardware|den Zugang zur Testumgebung|eine Antwort der Rechtsabteilung|den unterschriebenen Vertrag|Testdaten|den Lizenzschlüssel',
    region: 'Frankfurt|Irland|Virginia|Singapur|Sydney|Tokio|Montreal|Stockholm',
    percent: '5|8|10|12|15|18|20|25',
    complaint:
      'langsame Exporte|fehlende Rechnungen|doppelte Abbuchungen|kaputte Verweise|Anmeldeschleifen|falsche Zeitzonen|verlorene Anhänge',
    wish: 'Dunkelmodus|Einmalanmeldung|Massenimport|Prüfprotokolle|Offlinebetrieb|eine Handyanwendung|eigene Auswertungen|Webhooks',
  },
  subjects: {
    service:
      'Zahlungsdienst|Kundenportal|Warenkorb|Rechnungslauf|Sitzungsspeicher|Bildverarbeitung|Nachrichtenversand|Standortsuche|Betrugserkennung|Protokollschreiber|Preisrechner|Lagerabgleich|Etikettendrucker|Gutscheinprüfung|Bewertungsmodul|Steuerberechnung|Erstattungsdienst|Sendungsverfolgung|Profilverwaltung|Suchindex|Datenimport|Schlüsselverwaltung|Ereignisverteiler|Zeitplaner|Berichtswesen|Umfragemodul|Gesprächsbrücke|Übersetzungsdienst|Wunschliste|Treuekonto|Werbebanner|Kennzahlenexport|Archivdienst|Einwilligungsregister|Geräteverwaltung|Auszahlungsplanung|Vorgangsverteilung|Videoumwandlung|Adressprüfung|Kontingentwächter',
    person:
      'Katharina Vogel|Jürgen Maier|Anneliese Kraus|Bernd Schuster|Claudia Weiß|Dieter Hofmann|Elke Sommer|Florian Bauer|Gisela Roth|Holger Lang|Ilse Brandt|Jonas Keller|Karin Schäfer|Lukas Winter|Monika Busch|Norbert Engel|Olga Fuchs|Peter Zimmermann|Renate Albrecht|Stefan Böhm|Tanja Huber|Uwe Kühn|Verena Stark|Wolfgang Peters|Yvonne Graf|Andreas Beck|Birgit Jansen|Christian Otto|Doris Lorenz|Erik Simon|Franziska Pohl|Günter Arnold|Heike Thomas|Ingo Seidel|Julia Ziegler|Klaus Horn|Lena Dietrich|Manfred Voigt|Nina Sauer|Oliver Frank',
    customer:
      'Nordwind Reisen|Bergmann Möbel|Zederklinik Ulm|Delta Lebensmittel|Eichenbank|Falken Motoren|Granit Versicherung|Hafen Spedition|Iris Kosmetik|Jura Hotels|Kranich Energie|Seehof Schule|Ahorn Apotheken|Nimbus Telefon|Obsthof Lange|Gipfel Sportwaren|Steinbruch Harz|Rotbuche Verlag|Silberpfeil Bahn|Tundra Ausrüster|Umbra Film|Ausblick Immobilien|Weiden Arztpraxen|Xenon Leuchten|Gelbstein Molkerei|Zephir Drohnen|Bernstein Stoffe|Leuchtturm Schulen|Kupferkessel Cafés|Treibholz Tischlerei|Glut Spiele|Fingerhut Blumen|Gletscher Wasser|Hasel Spielzeug|Indigo Druckerei|Jade Schmuck|Schlussstein Bau|Laternen Theater|Wiesen Landwirtschaft|Nova Robotik',
  },
  topics: `
fact service
> {service} speichert seine Daten in {database}.
> Die Datenhaltung von {service} läuft auf {database}, gesichert wird jede Nacht.
> Alle Datensätze von {service} liegen in {database}.
forms ? Datenspeicherung {service}
paraphrase ? welche Datenbank nutzt {service}
names ? wo legt {service} seine Daten ab

fact service
> Für {service} ist die Gruppe {team} verantwortlich.
> {service} gehört der Abteilung {team}, Fragen bitte dorthin.
> Zuständig für {service}: {team}.
forms ? Zuständigkeit für {service}
paraphrase ? wen frage ich bei Problemen mit {service}
names ? Verantwortliche {service} Abteilung

constraint service
> {service} wird nur am {day} um {hour} ausgeliefert, nie später.
> Auslieferungen von {service} sind ausschließlich am {day} vor {hour} erlaubt.
> Wartungsfenster von {service}: {day}, {hour}.
forms ? wann dürfen wir {service} ausliefern
paraphrase ? Zeitpunkt der Veröffentlichung von {service}
dates ? {day} {hour} {service}

fact service
> Am {date} fiel {service} für {number} Minuten aus, Grund war {cause}.
> Ausfall von {service} am {date.iso}: {cause}, nach {number} Minuten behoben.
> {cause} hat {service} am {date} lahmgelegt, der Bericht steht im Wiki.
forms ? Ausfälle von {service}
paraphrase ? warum war {service} im {date.month} gestört
dates ? was geschah am {date.short} mit {service}

constraint service
> {service} erlaubt {number} Anfragen pro Minute und Mandant.
> Anfragegrenze von {service}: {number} Aufrufe je Minute.
> Kein Mandant darf {service} öfter als {number} Mal pro Minute aufrufen.
forms ? Begrenzung der Anfragen an {service}
paraphrase ? wie oft dürfen Mandanten {service} benutzen
dates ? {number} pro Minute {service}

decision service
> Wir haben uns bei {service} für {library} entschieden, wegen {reason}.
> {service} wird mit {library} neu geschrieben, ausschlaggebend war der Punkt {reason}.
> Entscheidung: {service} zieht auf {library} um, hauptsächlich wegen {reason}.
forms ? entschieden für {library} {service}
paraphrase ? welche Technik wurde für {service} ausgewählt
names ? Umstellung {service} {library}

preference person
> {person} möchte bei dringenden Dingen {channel} angesprochen werden.
> {person} erreicht man am besten {channel}.
> Am liebsten wird {person} {channel} kontaktiert.
forms ? Erreichbarkeit von {person.first}
paraphrase ? wie nehme ich Kontakt mit {person} auf
names ? {person.last} ansprechen

fact person
> {person} ist ab {date} für zwei Wochen im Urlaub.
> Der Urlaub von {person} beginnt am {date.iso}.
> {person} fehlt ab dem {date} und kommt nach zehn Arbeitstagen zurück.
forms ? Urlaubsbeginn {person.first}
paraphrase ? wann ist {person} nicht da
dates ? Urlaub ab {date.short} {person.last}

fact person
> {person} kennt sich mit {skill} besser aus als alle anderen.
> Bei Fragen zu {skill} hilft {person}.
> {person} hat die Schulung zu {skill} gehalten.
forms ? Schulungen zu {skill} von {person.last}
paraphrase ? worin ist {person} Fachkraft
names ? {person.first} {skill}

fact person
> {person} ist nach {city} gezogen und arbeitet von dort.
> {person} wohnt in {city} und arbeitet zu Hause.
> Heimarbeitsplatz von {person}: {city}.
forms ? Wohnort von {person.first}
paraphrase ? aus welcher Stadt arbeitet {person}
names ? {person.last} {city}

preference person
> {person} trinkt {drink} und vor Mittag nichts anderes.
> Für Besprechungen mit {person} bitte {drink} bestellen.
> Lieblingsgetränk von {person}: {drink}.
forms ? Getränke für {person.first}
paraphrase ? was soll ich {person} zu trinken bringen
names ? {drink} {person.last}

working_note person
> {person} wartet seit {date} auf {blocker}.
> Nächster Schritt von {person}: nach {blocker} fragen.
> {person} kommt ohne {blocker} nicht weiter.
forms ? worauf {person.first} warten muss
paraphrase ? was hält {person} auf
dates ? seit {date.short} blockiert {person.last}

fact customer
> Der Vertrag mit {customer} endet am {date}.
> {customer} hat bis {date.iso} unterschrieben, Kündigungsfrist drei Monate.
> Die Vertragsverlängerung von {customer} steht am {date} an.
forms ? Vertragsende {customer.first}
paraphrase ? wie lange ist {customer} noch an uns gebunden
dates ? Vertrag läuft am {date.short} aus, {customer.first}

constraint customer
> Daten von {customer} müssen in {region} bleiben.
> {customer} verlangt Datenhaltung ausschließlich in {region}.
> Datensätze von {customer} dürfen {region} nie verlassen.
forms ? Datenstandort von {customer.first}
paraphrase ? an welchem Ort müssen wir die Daten für {customer} speichern
names ? {customer.first} {region}

decision customer
> {customer} bekommt ab nächstem Jahr {percent} % Rabatt.
> Wir haben {customer} einen Nachlass von {percent} Prozent zugesagt.
> Der Vertrieb gewährt {customer} {percent} % Preisnachlass.
forms ? Nachlässe für {customer.first}
paraphrase ? wie viel günstiger kauft {customer} ein
dates ? {percent} Prozent {customer.first}

fact customer
> {customer} hat sich am {date} beschwert: {complaint}.
> Supportfall von {customer} vom {date.iso}: {complaint}.
> {complaint} hat {customer} gemeldet, {number} Euro wurden erstattet.
forms ? Beschwerden von {customer.first}
paraphrase ? worüber hat sich {customer} geärgert
dates ? Meldung vom {date.short} {customer.first}

preference customer
> {customer} wünscht sich vor allem {wish}.
> Größter Wunsch von {customer}: {wish}.
> {customer} hat zweimal nach {wish} gefragt.
forms ? Wünsche von {customer.first}
paraphrase ? mit welcher Funktion machen wir {customer} glücklich
names ? {wish} für {customer.first}

working_note customer
> Der Pilotbetrieb bei {customer} startet am {day} um {hour} mit {number} Nutzern.
> {customer}: nächster Arbeitstermin am {day}, {hour}.
> Die Auftaktbesprechung mit {customer} ist am {day} um {hour}.
forms ? Besprechungstermin {customer.first}
paraphrase ? um wie viel Uhr treffen wir {customer}
dates ? {day} {hour} Termin {customer.first}
`,
};
