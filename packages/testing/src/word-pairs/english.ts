/** Forms of English words: inflections, plurals, nouns of verbs. */
export const english = `
We deployed the gateway on Friday.
+ deploying | deployment | deploys | gateways
- employment | gate

The migrations were tested twice.
+ migration | migrate | testing | tests
- immigrant | testament

She prefers small commits.
+ preferred | prefer | commit | committed
- committee | smallest

Retries are limited to three attempts.
+ retry | retrying | limits | attempt
- trial | temptation

Backups get encrypted before they leave the house.
+ encrypting | encrypt | backup | leaving
- crypt | leaf

The cache is invalidated by an event.
+ caching | caches | events | invalidate
- cash | eventual

Customers complained about slow exports.
+ complaining | customer | export | exporting
- costume | airport

Our policies forbid shared accounts.
+ policy | account | sharing
- police | discount

The queries were optimized last week.
+ query | optimizing | optimize | weeks
- option | weekend

Nobody monitors the staging servers at night.
+ monitoring | monitored | server | nights
- monastery | serve

Two engineers reviewed the proposal.
+ reviewing | reviewer's review | engineer | proposals
- preview | ingenious

The dog's collar is red.
+ dogs | dog | collars
- doggerel | colour

Licences expire in December.
+ licence | expiring | expired | expires
- license-plate | expert

The scheduler stopped working.
+ schedulers | stopping | stops | works
- stoppable | worker

Invoices are sent monthly.
+ invoice | invoicing | invoiced
- voice | mouth

The children were playing chess.
+ play | played | plays
- display | player

Memory leaks crash the worker.
+ leaking | leaked | crashes | memories
- memo | crush

Feature flags have owners.
+ flag | flagged | owner | features
- flagship | own

They agreed on weekly meetings.
+ agree | meeting | agrees | agreeing
- meat | greedy

Configuration is loaded once.
+ configurations | loading | loads
- confirm | lodge

Dashboards show failing checks.
+ dashboard | failed | fails | checking
- board | fallen

The archive holds signed contracts.
+ archives | archived | contract | signing
- architect | contrast

Ada dislikes long documents.
+ dislike | disliked | document | documented
- like | lengthen

Passwords must be rotated.
+ password | rotating | rotation | rotates
- passport | rotten

Weekly reports summarise the incidents.
+ report | summarised | incident | reporting
- airport | accident

Translations are missing for Norwegian.
+ translation | translate | translated | missed
- transition | norway

The washing machine is broken.
+ machines | wash | washed
- machinery-hall | brook

Printing labels needs the old driver.
+ print | printed | label | drivers
- imprint | drive-in
`;
