/** Evidence with what a good Experience of it must say. */
export interface Bundle {
  sources: string[];
  /** Words that a complete proposal has; empty where none is due. */
  facts: string[];
}

/** Twenty bundles: labeled notes, prose, repeated statements, German and Chinese, and evidence that says nothing. */
export const bundles: readonly Bundle[] = [
  {
    sources: [
      'Problem: Checkout timed out.\nDid: The pool was raised.\nResult: Latency is normal.\nLesson: Alert on pool use.',
    ],
    facts: ['Checkout', 'pool', 'Latency', 'Alert'],
  },
  {
    sources: [
      'Context: The nightly import doubled rows.\nChange: A unique index was added.\nOutcome: The import is idempotent.',
    ],
    facts: ['import', 'unique index', 'idempotent'],
  },
  {
    sources: ['The deploy failed at noon. We rolled back to 1.4. Always drain the queue before a deploy.'],
    facts: ['deploy failed', 'rolled back', 'drain'],
  },
  {
    sources: [
      'Tokens expired during long uploads.',
      'The client refreshes tokens now. Uploads must retry once after a 401.',
    ],
    facts: ['expired', 'refreshes', 'retry'],
  },
  {
    sources: [
      'The cache returned stale prices. The cache returned stale prices. The key lacked the currency.',
    ],
    facts: ['stale prices', 'currency'],
  },
  {
    sources: [
      '## Situation\n\nThe disk of the build host was full.\n\n## Result\n\nOld images are pruned daily.',
    ],
    facts: ['disk', 'pruned'],
  },
  {
    sources: [
      'Problem: Flaky login test.\nAction: The test waits for the cookie.\nResult: It passed 500 times.',
    ],
    facts: ['login', 'cookie', '500'],
  },
  {
    sources: ['Result: The migration took 40 minutes.', 'Lesson: Never run it at peak time.'],
    facts: ['40 minutes', 'peak'],
  },
  {
    sources: [
      'Der Export brach nachts ab. Die Verbindung lief nach einer Stunde ab. Der Export liest nun in Blöcken.',
    ],
    facts: ['Export', 'Verbindung', 'Blöcken'],
  },
  {
    sources: ['结账服务在九点超时。我们提高了连接数。应该监控连接池的使用率。'],
    facts: ['超时', '连接数', '监控'],
  },
  {
    sources: [
      '- Problem: Duplicate mails.\n- Did: The worker checks the message id.\n- Result: No mail was sent twice since.',
    ],
    facts: ['Duplicate', 'message id', 'twice'],
  },
  {
    sources: [
      'Search was slow for long queries.',
      'Search was slow for long queries. A limit of 64 terms fixed it.',
    ],
    facts: ['slow', '64 terms'],
  },
  {
    sources: ['Lesson: Avoid locks over network calls because a slow peer blocks everyone.'],
    facts: ['locks', 'slow peer'],
  },
  {
    sources: [
      'The certificate expired on Sunday. Monitoring only checked weekdays. Renewal runs every day now.',
    ],
    facts: ['certificate', 'weekdays', 'every day'],
  },
  {
    sources: [
      'Deploy with password=hunter2secret now. The rollout stopped at ten percent. We fixed the probe path.',
    ],
    facts: ['rollout', 'probe'],
  },
  { sources: ['# Notes'], facts: [] },
  { sources: ['```\nconst x = 1;\n```'], facts: [] },
  { sources: ['2026-11-20 10:00:00 INFO started\n2026-11-20 10:00:01 INFO stopped'], facts: [] },
  { sources: ['https://example.com/a\nhttps://example.com/b'], facts: [] },
  { sources: ['ok', '---'], facts: [] },
];
