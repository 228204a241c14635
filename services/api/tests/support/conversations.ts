/** A talk as an agent's host records it, and a question of a later session that it answers. */
interface Conversation {
  name: string;
  turns: string[];
  later: string;
}

/** Ten talks of teams and persons with an agent. */
export const conversations: Conversation[] = [
  {
    name: 'a timetable',
    turns: [
      'Morning! I finally have an hour for the winter timetable. Can you remind me what was open after the harbour meeting, and which of the night connections the council wanted to keep? I lost my notes on the train, sorry about that.',
      'Good morning. Three points were open: the date of publication, the last ferry of the day, and whether bicycles are free in winter. The council asked to keep both night connections, but it left the exact times to you. The numbers from last year show about forty passengers on an average Friday night.',
      'Right. We decided to publish the winter timetable in October, so that the schools can plan their trips. Let us look at the last ferry next, because the crew has asked about it twice this week and I promised them an answer.',
      'The crew agreement asks for eleven hours of rest between two services. If the first ferry leaves at half past six, the crew of the last one cannot be the same. The night ferry must never leave before midnight, because the concert hall closes late. I would plan a second crew for Fridays and Saturdays.',
      'That is what I thought as well. Bicycles stay free until the end of March, then we look at the numbers again. I will call the printer tomorrow and ask what the paper version costs this year.',
    ],
    later: 'When does the night ferry leave, and in which month is the winter timetable published?',
  },
  {
    name: 'a database upgrade',
    turns: [
      'The staging database ran out of disk again last night. Before we buy a bigger volume, can you look at what takes the space? I suspect the audit table, but the last time I was wrong and it was the index on sessions.',
      'It is the audit table this time: 61 GB of 80, and most of it is older than a year. The index on sessions takes 4 GB. A vacuum would give back about 2 GB. Nothing else is above one gigabyte, so moving old audit rows out is the only step that helps for more than a week.',
      'Fine. We decided to move audit rows older than 90 days to the archive bucket every night. Keep the format simple, the auditors read it with their own tools and complained about the nested one.',
      'I will write one Parquet file a day, with flat columns. The job must never run while the backup holds its snapshot, because both read the whole table and the replica falls behind. The backup starts at one and takes about fifty minutes, so the job can start at three. I can add a check that waits for the end of the backup.',
      'Yes please, with the check. Also we will use Postgres 18 for every new environment from next month on, so test it against that. Next step: write the runbook for restoring a single day from the archive.',
    ],
    later: 'When may the audit archive job run?',
  },
  {
    name: 'a mobile release',
    turns: [
      'Our last release was rolled back because the login screen was blank on old phones. I want a list of what we have to check before the next one, and it should be short enough that people really use it.',
      'From the incident report: the web view of Android 9 does not know the new syntax, and nobody opened the app on a device below Android 11. A short list could be: login on the oldest supported phone, an update from the previous release, airplane mode at start, and a payment with the test card.',
      'Good list. We agreed that Android 9 stays supported until June, after that the usage is below one percent. Who signs the release when Ines is away? The last time three people thought that somebody else had done it.',
      'Ines and Tomas hold the signing key. When both are away, the release must wait; nobody else may get the key, because the insurance demands two named persons. Tomas is away in the second week of May. The build server keeps unsigned builds for thirty days, so a release that waits is not lost.',
      'Then plan the next release for the third week of May. We decided to roll out to five percent of the users first and wait for two days. I will tell the support team so that they know what to expect.',
    ],
    later: 'Who can sign the release when Ines is away?',
  },
  {
    name: 'a kitchen',
    turns: [
      'We are forty people at the summer party, and I have to order by Thursday. The caterer sent three menus, and I honestly cannot tell them apart. One has more salads, one has more grill, and the third one is a mixture with a dessert buffet.',
      'The mixture costs four euros more for each person, mostly because of the desserts. For forty people the grill menu needs two extra cooks, which the caterer adds to the bill later. Last year about a third of the food came back, mainly bread and potatoes. A smaller order with more vegetables would have been enough.',
      'Then the mixture without the bread basket. Martin is allergic to peanuts, so nothing may come with satay sauce, please write that into the order. And Ayumi likes the lemon cake from the bakery at the corner, it was gone first last time.',
      'I put the allergy into the first line of the order and asked for separate tongs. The lemon cake has to be ordered two days ahead. For drinks I would take the same as last year, but with half of the beer, because eleven crates went back. The party tent holds sixty persons, so there is room for the buffet inside if it rains.',
      'Perfect. We decided to start at five, so that the families with small children can stay. Remind me to ask the neighbours about the parking places.',
    ],
    later: 'What is Martin allergic to, and which cake does Ayumi like?',
  },
  {
    name: 'a web shop',
    turns: [
      'Customers write that the voucher code is refused at the last step, and only sometimes. I tried it four times and it worked each time. Can you find out what these customers have in common before I start to guess?',
      'All nine of them had more than twenty articles in the cart. The voucher service gets the list of articles in the address of the request, and the proxy cuts addresses at 2,048 characters. With long article names the signature at the end is lost, so the service answers that the voucher is unknown. It is no problem of the vouchers themselves.',
      'Oh dear, that explains the complaints in December, too. We decided to send the cart in the body of the request instead. Is there anything else that speaks to the voucher service in this way?',
      'The newsletter tool and the mobile app do. The app has a fixed version of the client, so the old form must stay until version 4 is gone; the contract with the operator of the shop terminals says the same. I would answer both forms for a year and count how often the old one is used.',
      'Agreed. Vouchers must never be logged in clear text, by the way, the last audit found some in the proxy log. Next step: add the counter and a test with two hundred articles.',
    ],
    later: 'May we log vouchers, and do we send the cart in the body of the request?',
  },
  {
    name: 'a paper',
    turns: [
      'Reviewer two wants an experiment with more than one language, and the deadline is in three weeks. I would rather explain why we did not do it. What do you think, is there a cheap way to satisfy the reviewer?',
      'The corpus has a German and a Finnish part that nobody has used so far. Training takes six hours on one card. A table with three languages would answer the reviewer, and it costs two days with the checks. An explanation alone did not work for the colleagues who submitted to the same track last year.',
      'Okay, then let us do it. We decided to report the mean of five seeds with the standard deviation, as reviewer one asked. Please do not touch the numbers of table two, they are already in the press release of the university.',
      'I will add the languages as a new table. The Finnish part must be cut at sentence ends with the tool of the national library, because the default tool breaks abbreviations; the paper about the corpus says so in its appendix. The German part can stay as it is. I can start the runs tonight if the card is free.',
      'The card is free until Friday, Pekka needs it then. We agreed to name the method Lantern in the paper and in the code. The camera-ready version has to have line numbers switched off.',
    ],
    later: 'How many seeds do we report the mean of, and which tool cuts the Finnish part at sentence ends?',
  },
  {
    name: 'a clinic',
    turns: [
      'The appointment system sends reminders twice since the update, and patients call the desk because they believe that they have two appointments. The desk is full, so this has to stop today. The vendor says that everything is fine on their side.',
      'Both servers run the reminder job since the update, because the lock was in a file that is local to each server now. The log shows the same message with four seconds between. If you stop the job on the second server, the doubles end at once. The vendor is right that their gateway only forwards what it gets.',
      'Please stop it there. We decided to keep the lock in the database, so that this does not come back. How long would that take, and can we do it without a maintenance window? The next one is only in November.',
      'A day with tests, and no window is needed, because the job can pause for an hour at noon. Reminders must not contain the name of the ward, by order of the data protection officer; the current template has it in the subject for two clinics, so I would correct that in the same change.',
      'Yes, correct it. Text messages go out only between eight and twenty o’clock, the rest waits for the next morning. Doctor Mwangi prefers calls to messages, please leave her number on the list.',
    ],
    later: 'What must reminders not contain?',
  },
  {
    name: 'a game',
    turns: [
      'Players say that the third level is unfair since the patch. I compared the numbers: before the patch six of ten finished it, now it is three. We only changed the speed of the lamps, or so I thought.',
      'The patch also moved the physics step from 60 to 50 a second. The jump is computed in steps, so it is eight percent shorter now. In level three there are two gaps that need the full length. In the other levels there is enough room, so nobody noticed. The replay files of the testers show exactly these two gaps.',
      'Great find! We decided to go back to 60 steps and keep the slower lamps. Would old replays still work after that? The speedrun community checks every record with them, and they were rather angry in spring.',
      'Replays store the step, so records from before the patch work again, and those of the last two weeks will not. A replay must always be played with the version that recorded it; the launcher keeps five old versions for that. I would announce it before the weekend, because the next event starts on Saturday.',
      'I will write the announcement. We agreed to freeze the physics until the event in August. The music of level four is still missing, Leah promised it for Tuesday.',
    ],
    later: 'What did we agree on the physics until the event in August?',
  },
  {
    name: 'ein Umzug',
    turns: [
      'Wir ziehen im März mit dem Büro um, und ich habe drei Angebote für den Umzug der Server. Kannst du mir sagen, worin sie sich unterscheiden? Beim Lesen bin ich jedes Mal über die Versicherung gestolpert und habe dann aufgehört.',
      'Der erste Anbieter versichert nur den Transport, die beiden anderen auch den Abbau und den Aufbau. Der dritte verlangt, dass die Platten vorher gesichert sind, und prüft das auch. Der Preis ist beim zweiten am höchsten, weil er zwei Fahrzeuge schickt, falls eines ausfällt. Für zwölf Geräte reicht eigentlich eines.',
      'Dann nehmen wir den dritten. Wir haben beschlossen, die Server am Samstag dem 14. März umzuziehen, weil am Sonntag noch Zeit für Reparaturen ist. Wer muss davon wissen, außer der Buchhaltung und dem Lager?',
      'Der Betreiber der Telefonanlage, denn die Anlage hängt am selben Schrank. Der Schrank darf niemals liegend transportiert werden, sonst erlischt die Garantie der Batterien; das steht auf der Rückseite. Ich schreibe außerdem dem Hausmeister wegen des Aufzugs, der nur bis 600 Kilo zugelassen ist.',
      'Danke dir. Die neue Adresse gilt ab dem 1. April für alle Rechnungen. Frau Yılmaz bevorzugt den Raum mit dem Fenster zum Hof, das hatten wir ihr versprochen.',
    ],
    later: 'Welcher Anbieter verlangt, dass die Platten vorher gesichert sind?',
  },
  {
    name: '一个数据平台',
    turns: [
      '昨天晚上的报表又晚了两个小时,财务部门今天早上打电话来问。我看了一下日志,好像是导入任务一直在等待什么东西,但是我没有找到原因。你能不能帮我查一下,到底是哪一步最慢?',
      '最慢的一步是订单表的全量导入。这张表上个月增加了三倍,因为测试环境的数据也写了进来。导入任务要等这张表完成以后才能开始汇总。其他的步骤加起来只用了二十分钟左右。如果改成增量导入,大概十分钟就可以完成。',
      '好的。我们决定从下周开始使用增量导入,全量导入只在每个月的第一天运行。测试环境的数据是谁写进来的?以前没有发生过这样的事情,所以我有一点担心。',
      '是压力测试的脚本,它的连接地址写错了。生产数据库禁止使用测试账号登录,但是这个脚本用的是旧的管理账号。我建议把旧账号停用,并且在脚本里检查地址。停用以前需要通知仓库团队,因为他们的扫描枪也用这个账号。',
      '我来通知仓库团队。报表必须在每天早上七点以前完成,这是和财务部门约定的时间。下一步是给导入任务加一个超时报警,这样我们可以早一点发现问题。',
    ],
    later: '报表必须在几点以前完成?',
  },
];
