import { type SentinelConnectionOptions, SentinelConnector } from 'ioredis';

/**
 * Finds the master for each connection of a client. The connector of ioredis ends the client for good if Sentinels announce a failover
 * while it looks for the master: the failover detector of the lost connection still listens, and stops the search.
 */
export class LastingSentinelConnector extends SentinelConnector {
  /** Takes the options of the client. */
  constructor(options: unknown) {
    super(options as SentinelConnectionOptions);
  }

  override connect(...input: Parameters<SentinelConnector['connect']>) {
    // Ends the lost connection and its detector.
    this.disconnect();
    return super.connect(...input);
  }
}
