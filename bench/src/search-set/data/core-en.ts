/** English: memories and questions written by hand, in the form of `parse.ts`. */
export const englishCore = `
constraint
> Access tokens and cookies must never reach the log files, not even at debug level.
paraphrase ? are we allowed to print credentials while debugging
forms ? logging an access token

decision
> We decided to store money as integer cents; floating point lost three cents in the June payroll.
forms ? how are amounts of money stored
paraphrase ? why don't we use decimals for prices

fact
> The nightly backup runs at 02:10 UTC and is copied to a bucket in another account.
forms ? when do backups run
paraphrase ? where do the copies of the database go every night

preference
> Reviewers want small pull requests: under four hundred changed lines, one subject each.
forms ? size of a pull request that reviewers like
paraphrase ? how big may a change be before colleagues grumble

constraint
> Migrations must be backward compatible for one release, because old and new pods run side by side during a rollout.
forms ? compatibility of migrations during rollouts
paraphrase ? can I drop a column in the same version that stops using it

decision
> Feature flags live in the config service and are deleted at most thirty days after full rollout.
forms ? deleting feature flags
dates ? what happens after thirty days to a flag

working_note
> Next step for the importer: stream the CSV instead of loading it whole, the 2 GB file killed the worker.
forms ? importer loading CSV files
paraphrase ? memory problem with huge spreadsheets

fact
> The staging cluster is rebuilt from scratch every Sunday night, so data put there by hand is gone on Monday.
forms ? rebuilding staging
paraphrase ? why did my manual test records disappear over the weekend

fact
> Anna-Lena's sister Judith studies marine biology in Galway and visits in October.
names ? where does Judith study
paraphrase ? which relative of Anna-Lena goes to university

preference
> Martin is allergic to peanuts and would rather not eat at the Thai place on Mill Street.
forms ? Martin's allergies
paraphrase ? what food should we avoid when inviting Martin

decision
> For identifiers we picked UUIDv7, since they sort by creation time and need no sequence.
forms ? picking identifiers that sort
paraphrase ? which kind of primary key did we go for

constraint
> The public API answers errors as problem documents with a stable code; messages may change, codes may not.
forms ? stability of error codes
paraphrase ? may clients rely on the wording of failures

fact
> retryPolicy in src/http/client.ts backs off exponentially from 200 ms and gives up after six attempts.
names ? retry policy http client
paraphrase ? how many times do we try again before giving up

fact
> The function parseInvoiceHeader in src/billing/parser.ts assumes ISO 8859-1, which breaks umlauts.
names ? invoice header parser
paraphrase ? encoding bug with special characters in bills

working_note
> Blocked: the certificate of the partner sandbox expired on 3 May 2026, Fatima asked them to renew it.
dates ? which certificate expired in May 2026
forms ? renewing the partner's certificates

fact
> Quarterly planning happens in the first week of January, April, July and October, in the big room on floor five.
forms ? plan for the quarter
dates ? planning in July

decision
> Timestamps are stored in UTC with millisecond precision and shown in the viewer's zone.
forms ? storing timestamps
paraphrase ? do we keep local time in the tables

constraint
> Customer passwords have to be hashed with Argon2id; bcrypt hashes are upgraded at the next login.
forms ? hashing a password
paraphrase ? which algorithm protects login secrets

preference
> Our designer Paulina wants mock-ups commented in Figma and not in chat, where they get lost.
names ? feedback for Paulina
forms ? commenting on a mock-up

fact
> The office in Ghent closes at 19:00; the alarm code is with the front desk.
paraphrase ? until what time can I stay in the Belgian building
names ? Ghent opening hours

fact
> Our on-call rotation changes on Wednesdays at noon, and the handover happens in a fifteen-minute call.
forms ? rotating on-call
paraphrase ? when do I hand the pager to the next person

decision
> Kafka was rejected in favour of the outbox table: two thousand events a day do not justify a broker.
paraphrase ? why is there no message broker
forms ? rejecting Kafka

constraint
> No personal data of European users may be processed by vendors without a signed processing agreement.
paraphrase ? what paperwork is needed before a supplier sees user details
forms ? processing of personal data by a vendor

fact
> The mobile app supports Android 11 and iOS 16 upwards; older phones see a notice.
forms ? support for older Android phones
dates ? is iOS 15 still supported

working_note
> Remaining for the search rework: synonyms, typo tolerance, and a dashboard with zero-result queries.
forms ? what remains of reworking search
paraphrase ? open items for finding products despite misspellings

fact
> Grandmother turns ninety on 12 September 2026; the party is in the village hall at three in the afternoon.
dates ? birthday on 12 September
paraphrase ? when do we celebrate granny

preference
> Kofi reads long documents on paper, so print the architecture proposal before meeting him.
names ? Kofi architecture proposal
paraphrase ? who dislikes reading on a screen

decision
> The monolith stays; only report rendering was split off, because it needs another scaling profile.
forms ? splitting the monolith
paraphrase ? are we going to do microservices

constraint
> Pull requests need two approvals when they touch packages/auth or anything under deploy/.
names ? packages/auth approvals
forms ? approving changes to deploy

fact
> The load balancer cuts idle connections after sixty seconds, so server-sent events send a heartbeat every twenty.
forms ? idle connection cut by load balancers
paraphrase ? reason for the keep-alive messages in the stream

fact
> ERR_QUEUE_STALLED means that a worker lost its lock; nine times out of ten the event loop was blocked by a big JSON.
names ? err queue stalled
paraphrase ? typical explanation for a job that lost its lease

preference
> The team writes commit messages in the imperative and explains why, not what.
forms ? writing a commit message
paraphrase ? style rules for the git history

fact
> Sven drives a blue Volvo with the plate KLM-204 and has the key to the bicycle cellar.
names ? KLM-204
paraphrase ? who can open the room for bikes

working_note
> To do before the audit: rotate the signing keys, list all sub-processors, archive last year's access reviews.
forms ? rotating keys for the auditors
paraphrase ? preparation for the inspection

decision
> Prices in the shop include VAT everywhere except for business customers in Switzerland.
forms ? including VAT in a price
paraphrase ? do shoppers see gross or net amounts

fact
> Release 4.7.2 fixed the leak in the websocket proxy, 4.7.3 only updated translations.
dates ? what did 4.7.2 fix
forms ? leaking websocket proxies

constraint
> Uploads above 25 MB are refused by the gateway; larger files go through a signed link.
forms ? uploading a large file
dates ? limit of 25 MB

fact
> Bruno the dog is afraid of thunder and hides under the desk in room 3.
names ? Bruno
paraphrase ? which pet is scared of storms

preference
> For charts we use the colour-blind safe palette and never rely on red against green alone.
forms ? colours of a chart
paraphrase ? accessibility of diagrams

decision
> Snapshot tests were dropped; reviewers waved every diff through without reading it.
forms ? dropping the snapshot test
paraphrase ? why do we no longer compare rendered output against stored files

fact
> The read replica lags up to four seconds at month end, when the ledger closes.
forms ? lagging replicas
paraphrase ? why are figures stale on the last day of the month

fact
> Dr. Meredith Achterberg is the data protection officer; reach her through the privacy mailbox.
names ? Achterberg
paraphrase ? who is in charge of privacy questions
`;
