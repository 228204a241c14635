import type { LanguageTopics } from '../shapes.ts';

/** English: what the generated memories are about. The form is that of `generate.ts`. */
export const englishTopics: LanguageTopics = {
  slots: {
    team: 'platform|payments|storefront|data science|reliability|mobile|identity|growth|logistics|compliance|search|partner',
    database:
      'PostgreSQL 16|MySQL 8|MongoDB|Redis|SQLite|CockroachDB|DynamoDB|Cassandra|ClickHouse|Elasticsearch',
    day: 'Monday|Tuesday|Wednesday|Thursday|Friday',
    hour: '06:30|07:15|08:45|10:00|11:30|13:15|14:00|16:45|18:20|21:00|22:30',
    cause:
      'an expired certificate|a full disk|a forgotten index|a leaking connection pool|a wrong feature flag|a DNS change|a deadlock|a broken cron job',
    number: '20|45|75|90|120|150|250|400|600|900|1500|3000',
    library: 'Fastify|Express|Spring Boot|gRPC|GraphQL|Kafka|RabbitMQ|NATS|Prisma|Drizzle|Terraform|Pulumi',
    reason:
      'fewer moving parts|better tracing|lower cost|the licence|a smaller image|faster cold starts|simpler upgrades',
    drink: 'oat milk coffee|green tea|sparkling water|black coffee|peppermint tea|hot chocolate',
    channel: 'e-mail|Slack|a short call|pull request comments|a video meeting|text messages',
    city: 'Lisbon|Toronto|Nairobi|Oslo|Melbourne|Austin|Dublin|Cape Town|Seattle|Bangalore|Warsaw|Lima',
    skill:
      'Rust|accessibility|Kubernetes|query tuning|threat modelling|animation|typography|load testing|iOS|machine learning',
    blocker:
      'a review of the design|new hardware|access to the staging cluster|an answer from legal|a signed contract|test data|a licence key',
    region: 'Frankfurt|Ireland|Virginia|Singapore|Sydney|Tokyo|Montreal|São Paulo',
    percent: '5|8|10|12|15|18|20|25',
    complaint:
      'slow exports|missing invoices|double charges|broken links in mails|login loops|wrong time zones|lost attachments',
    wish: 'dark mode|single sign-on|bulk import|audit trails|offline access|a mobile app|custom reports|webhooks',
  },
  subjects: {
    service:
      'billing-gateway|catalog-api|cart-service|invoice-worker|session-store|image-resizer|mail-relay|geo-lookup|fraud-scorer|audit-trail-writer|price-engine|stock-sync|label-printer|coupon-checker|review-moderator|tax-calculator|refund-handler|shipment-tracker|avatar-uploader|search-indexer|feed-builder|token-issuer|webhook-dispatcher|schedule-runner|report-composer|survey-collector|chat-bridge|locale-resolver|wishlist-keeper|loyalty-ledger|banner-rotator|metrics-shipper|archive-mover|consent-registry|device-registrar|payout-planner|ticket-router|video-transcoder|address-validator|quota-guard',
    person:
      'Priya Raman|Tom Whitaker|Aisha Bello|Liam Gallagher|Sofia Marchetti|Noah Feldman|Grace Okafor|Ethan Brooks|Maya Lindqvist|Oscar Delgado|Hannah Schwartz|Ravi Chandran|Chloe Dubois|Marcus Holloway|Ingrid Solberg|Diego Fuentes|Naomi Tanaka|Patrick Byrne|Leila Haddad|Simon Ackerman|Tara Nguyen|Victor Petrov|Wendy Osborne|Xavier Morel|Yasmin Rahimi|Zoe Kaplan|Adrian Popescu|Beatrice Lowell|Colin Fraser|Dorothy Hughes|Emil Novak|Fiona McBride|Gareth Pugh|Helena Costa|Ivan Sorokin|Joanna Wells|Kenji Mori|Laura Espinosa|Miles Carter|Nadia Rousseau',
    customer:
      'Northwind Traders|Bluebird Airlines|Cedar Hospital|Delta Foods|Evergreen Bank|Falcon Motors|Granite Insurance|Harbor Shipping|Ivory Cosmetics|Juniper Hotels|Kestrel Energy|Lakeside College|Maple Pharmacy|Nimbus Telecom|Orchard Grocers|Pinnacle Sports|Quarry Mining|Redwood Publishing|Silverline Rail|Tundra Outfitters|Umbra Films|Vantage Realty|Willow Clinics|Xenon Lighting|Yellowstone Dairy|Zephyr Drones|Amber Textiles|Beacon Schools|Copper Kettle Cafés|Driftwood Furniture|Ember Games|Foxglove Florists|Glacier Water|Hazel Toys|Indigo Press|Jade Jewellers|Keystone Builders|Lantern Theatre|Meadow Farms|Nova Robotics',
  },
  topics: `
fact service
> {service} keeps its data in {database}.
> The storage behind {service} is {database}; backups run every night.
> All records of {service} live in {database}.
forms ? where does {service.words} store records
paraphrase ? what kind of database is used by {service}
names ? {service.first} persistence layer

fact service
> The {team} team owns {service}.
> {service} belongs to the {team} group, they answer questions about it.
> Responsible for {service}: {team}.
forms ? who is the owner of {service.words}
paraphrase ? whom do I ask when {service} misbehaves
names ? team responsible for the {service.first} component

constraint service
> Releases of {service} go out on {day} at {hour}, never later.
> {service} must only be deployed on {day} before {hour}.
> Deployment window of {service}: {day}, {hour}.
forms ? when are we deploying {service.words}
paraphrase ? release slot for {service}
dates ? which component ships on {day} at {hour}, the {service.first} one

fact service
> On {date} {service} was down for {number} minutes because of {cause}.
> Outage of {service} on {date.iso}: {cause}, fixed after {number} minutes.
> {cause} broke {service} on {date}; the postmortem is in the wiki.
forms ? outages of {service.words} and their causes
paraphrase ? why did {service} fail in {date.month}
dates ? what happened to {service.first} on {date.short}

constraint service
> {service} allows {number} requests per minute for each client.
> Rate limit of {service}: {number} calls a minute.
> No client may call {service} more than {number} times per minute.
forms ? limits on requests to {service.words}
paraphrase ? how often can clients call {service}
dates ? is it {number} per minute for {service.first}

decision service
> We chose {library} for {service} because of {reason}.
> {service} will be rewritten with {library}; the argument was {reason}.
> Decided to move {service} to {library}, mainly for {reason}.
forms ? choosing {library} in {service.words}
paraphrase ? what technology did we settle on for {service}
names ? rationale for {library} in the {service.first} rewrite

preference person
> {person} prefers {channel} over anything else when it is urgent.
> To reach {person}, use {channel}.
> {person} likes to be contacted by {channel}.
forms ? how does {person.first} like being reached
paraphrase ? best way to get in touch with {person}
names ? {person.last} contact preference

fact person
> {person} is on vacation from {date} for two weeks.
> Holiday of {person} starts on {date.iso}.
> {person} will be away from {date}, back after ten working days.
forms ? {person.first}'s vacations
paraphrase ? when is {person} out of office
dates ? who goes on holiday on {date.short}, is it {person.last}

fact person
> {person} knows more about {skill} than anyone else here.
> Ask {person} for help with {skill}.
> {person} gave the internal training on {skill}.
forms ? helping with {skill}, {person.last}
paraphrase ? what is {person} an expert in
names ? {person.first} and {skill}

fact person
> {person} moved to {city} and works from there.
> {person} lives in {city} and keeps local hours.
> Home office of {person}: {city}.
forms ? in which city is {person.first} living
paraphrase ? where is {person} based
names ? {person.last} {city}

preference person
> {person} drinks {drink} and nothing else before noon.
> For meetings with {person}, order {drink}.
> Favourite drink of {person}: {drink}.
forms ? what drinks does {person.first} order
paraphrase ? which beverage should I get for {person}
names ? {drink} for {person.last}

working_note person
> {person} is blocked on {blocker} since {date}.
> Next step for {person}: chase {blocker}.
> {person} waits for {blocker} before going on.
forms ? what is blocking {person.first}
paraphrase ? why can {person} not continue
dates ? still waiting since {date.short}? {person.last}

fact customer
> The contract with {customer} ends on {date}.
> {customer} signed until {date.iso}, with three months' notice.
> Renewal of {customer} is due on {date}.
forms ? when does the {customer.first} contract end
paraphrase ? how long is {customer} still bound to us
dates ? agreement that expires on {date.short}, {customer.first}

constraint customer
> Data of {customer} must stay in {region}.
> {customer} requires hosting in {region} only.
> Never copy records of {customer} out of the {region} region.
forms ? where do we have to host data for {customer.first}
paraphrase ? data residency rule of {customer}
names ? {customer.first} {region}

decision customer
> {customer} gets a discount of {percent} % from next year on.
> We agreed on {percent} percent off for {customer}.
> Sales granted {customer} a rebate of {percent} %.
forms ? discounts for {customer.first}
paraphrase ? what price reduction does {customer} have
dates ? {percent} percent for {customer.first}

fact customer
> {customer} complained about {complaint} on {date}.
> Support case of {customer} from {date.iso}: {complaint}.
> {complaint} were reported by {customer}; refund of {number} dollars paid.
forms ? complaints of {customer.first}
paraphrase ? what was {customer} unhappy about
dates ? ticket opened on {date.short} by {customer.first}

preference customer
> {customer} wants {wish} before anything else.
> The top wish of {customer} is {wish}.
> {customer} asked twice for {wish}.
forms ? wishes from {customer.first}
paraphrase ? which feature would please {customer} most
names ? {wish} request, {customer.first}

working_note customer
> The pilot at {customer} starts on {day} at {hour} with {number} users.
> {customer}: next workshop on {day}, {hour}.
> Kick-off with {customer} is set for {day} at {hour}.
forms ? starting the {customer.first} pilot
paraphrase ? what time do we meet {customer}
dates ? {day} {hour} appointment with {customer.first}
`,
};
