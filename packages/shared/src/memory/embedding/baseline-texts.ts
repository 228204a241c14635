/** A query and a passage about one subject, which no other pair is about. */
interface BaselinePair {
  query: string;
  passage: string;
}

/**
 * The texts that measure the baseline of a vector space (spec 26 S9), in several languages, as Memories have them. A change of one changes
 * the scores of each new profile.
 */
export const baselinePairs: readonly BaselinePair[] = [
  {
    query: 'when is high tide in the harbour',
    passage: 'The harbour master posts high and low water for the coming week beside the pier.',
  },
  {
    query: 'Wie lange muss Sauerteig vor dem Backen ruhen?',
    passage: 'Den Sauerteig über Nacht kühl stellen und am Morgen auf dem heißen Stein backen.',
  },
  {
    query: 'which index makes the orders query slow',
    passage: 'The planner ignores a partial index of the orders table because of the cast in the filter.',
  },
  {
    query: '下半场结束以后裁判怎么判的',
    passage: '加时赛没有进球，杯赛决赛要用点球决出胜负。',
  },
  {
    query: 'síntomas de la falta de vitamina D',
    passage: 'Los pacientes con huesos débiles suelen recibir poco sol y necesitan suplementos en invierno.',
  },
  {
    query: 'who composed the cello suites',
    passage: 'Bach wrote six suites for an unaccompanied cello while he served at Köthen.',
  },
  {
    query: 'comment renouveler mon passeport',
    passage: 'Apportez deux photos et le document périmé à la mairie pour demander un titre de voyage.',
  },
  {
    query: 'ペンギンは赤道の近くに住んでいますか',
    passage: '飛べない海鳥の小さな群れがガラパゴス諸島で繁殖している。',
  },
  {
    query: 'rotate the signing key of the token service',
    passage: 'Credentials of the login backend are replaced every ninety days by a scheduled job.',
  },
  {
    query: 'почему разрушились римские акведуки',
    passage: 'Когда за арками перестали следить, водопровод древних городов заилился и обвалился.',
  },
  {
    query: 'Kündigungsfrist für eine Mietwohnung',
    passage: 'Wer auszieht, muss dem Vermieter drei Monate vorher schriftlich Bescheid geben.',
  },
  {
    query: 'how hot does a blast furnace get',
    passage: 'Molten iron leaves the smelter at about fifteen hundred degrees Celsius.',
  },
  {
    query: 'qual foi a inflação deste trimestre',
    passage: 'Os preços ao consumidor subiram dois por cento em um ano, segundo o banco central.',
  },
  {
    query: '강아지가 물지 않게 가르치는 방법',
    passage: '어린 개는 물 때마다 놀이를 멈추면 부드럽게 노는 법을 배운다.',
  },
  {
    query: 'moons of Jupiter that have ice',
    passage: 'Europa hides an ocean under a frozen crust, as photographs of the space probe suggest.',
  },
  {
    query: '三楼会议室是什么颜色',
    passage: '办公室装修的时候，楼上开会的房间刷成了绿色。',
  },
];
