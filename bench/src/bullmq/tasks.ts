/** Where both processes of BullMQ alone meet. */
export interface Meeting {
  redisUrl: string;
  databaseUrl: string;
  queue: string;
  tenantId: number;
}

/** What the adding process does: so many jobs, so many of them at once on their way. */
export interface AddTask extends Meeting {
  count: number;
  atOnce: number;
}

/** What the working process does: get ready, and later answer once it has ended `count` jobs. */
export type WorkTask = ({ step: 'start'; concurrency: number } & Meeting) | { step: 'finish'; count: number };

/** Milliseconds since 1970, of the first or the last thing that was done. */
export type Moment = number;
