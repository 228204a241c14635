/**
 * Stop words of languages without a published package, or whose published package is not the Snowball list but a much longer one with content words
 * ("acuerdo", "cikk"): articles, pronouns, prepositions, conjunctions, auxiliaries.
 */
export const spanish: readonly string[] =
  `
a al algo algunas algunos ante antes como con contra cual cuando de del desde donde durante e el él ella ellas ellos en
entre era erais éramos eran eras eres es esa esas ese eso esos esta está estaba estaban estado estamos están estar estas
estás este esté estén esto estos estoy estuve estuvo fue fueron fui fuimos ha haber había habían habrá hace han has hasta
hay haya he hemos hubo la las le les lo los más me mi mí mía mías mío míos mis mucho muchos muy nada ni no nos nosotras
nosotros nuestra nuestras nuestro nuestros o os otra otras otro otros para pero poco por porque que qué quien quienes se
sea sean será serán sería si sí sido siendo sin sobre sois somos son soy su sus suya suyas suyo suyos también tanto te
tendrá tenemos tener tengo tenía ti tiene tienen todo todos tu tú tus tuve tuvo tuya tuyo un una uno unos vosotras
vosotros vuestra vuestras vuestro vuestros y ya yo
`.match(/\S+/g) ?? [];

export const hungarian: readonly string[] =
  `
a abban abból ahhoz ahogy ahol aki akik akkor alatt által általában amely amelyek amelyet ami amikor amit amíg annak
arra arról át az azok azon azonban azt aztán azután azzal azért be belül benne csak de e ebben ebből egy egyes egyik
egyéb el ellen elő először előtt én ennek erre erről és ez ezek ezen ezért ezt ezzel fel felé ha hanem hiszen hogy hogyan
igen illetve ilyen ilyenkor is ismét itt jól kell kellett keresztül ki kívül között közül legalább lehet legyen lenne lesz
lett maga már más meg még mellett mert mely melyek mi mikor milyen minden mindig mint mintha mit mivel miért most nagyon
ne nekem neki nem néha nélkül nincs olyan ott ő ők össze persze rá saját sem semmi sok során szemben szerint számára talán
tehát teljes tovább továbbá több úgy ugyanis után utána vagy vagyis valaki valami van vannak vele vissza viszont volna
volt voltak voltam
`.match(/\S+/g) ?? [];

export const romanian: readonly string[] =
  `
a acea aceasta această aceea acei aceia acel acela acele acest acesta aceste acestea aceștia ai ale am ar are as așa au
avea avem aveți ca că când care către ce cea cei cel cele cine cu cum cât câte câți da dacă dar de deci deja deși despre
din dintr dintre după ea ei el ele era erau este eu fără fi fie fiind foarte fost i iar îi îl îmi în înainte încât între
își îți la le li lor lui mai mea mei mele mi mult ne nici niște noi nostru noastră nu o ori pe pentru peste prin sa să
sale sau său se și sub sunt suntem sunteți te tot toate toți tu un una unde unei unele unii unor unui va vă vom voi vor
vostru voastră
`.match(/\S+/g) ?? [];

export const turkish: readonly string[] =
  `
acaba ama ancak aslında az bana bazı belki ben benden beni benim bir biri birkaç birşey biz bize bizden bizi bizim böyle
bu buna bunda bundan bunlar bunu bunun çok çünkü da daha de defa değil diye eğer en gibi göre hem hep hepsi her hiç için
ile ise işte kadar kendi kez ki kim kimden kime kimi mı mi mu mü nasıl ne neden nerde nerede nereye niçin niye o olan
olarak oldu olduğu olur on ona ondan onlar onlardan onları onların onu onun sanki sen senden seni senin siz sizden sizi
sizin sonra şey şimdi şu şunu tüm ve veya veyahut ya yani yoksa
`.match(/\S+/g) ?? [];

export const polish: readonly string[] =
  `
a aby ach albo ale ani aż bardzo bez bo być był była było były będzie będą cały ci co coś czy czyli dla do gdy gdzie go i ich ile
im in inny iż ja jak jaki jakie jako je jedna jednak jeden jego jej jest jestem jeszcze jeśli jeżeli już każdy kiedy kto która które
którego której który których którym którzy lub ma mają mam mi mnie może można mu my na nad nam nas nasz nasza nasze nie nich nim
niż no o od ok on ona one oni ono oraz po pod ponieważ przed przez przy są się skąd sobie swoje ta tak taki takie także tam te tego tej
ten teraz też to tu tych ze we tylko tym u w we więc wszystko wtedy z za zawsze że żeby
`.match(/\S+/g) ?? [];

export const czech: readonly string[] =
  `
a aby aj ale ani asi až bez bude budou by byl byla byli bylo být co což či dnes do ho i já jak jako je jeho jej její jejich jen
ještě ji jich jiné již jsem jsme jsou jste k kam každý kde kdo kdy když ke která které kterou který kteří má mají mezi mi mít mně můj
může my na nad nám náš naše ne nebo neboť než není nic o od on ona oni ono pak po pod podle pokud pouze pro proč proto protože před
při s se si své svůj ta tak také takže tam tato tedy ten tento teď tím to tohle toho tom tomto tu ty tyto u už v vám váš ve více však
všechno vy ze ve ke z za zde že
`.match(/\S+/g) ?? [];
