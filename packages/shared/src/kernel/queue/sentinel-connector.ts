import { type SentinelConnectionOptions, SentinelConnector } from 'ioredis';

/**
 * Finds the master for each connection of a client. Where Sentinels announce a failover while ioredis looks for the master of a lost
 * connection, its own connector ends the client for good: the detector of the lost connection still listens.
 */
export class LastingSentinelConnector extends SentinelConnector {
  /** Takes the options of the client. */
  constructor(options: unknown) {
    super(options as SentinelConnectionOptions);
  }

  override connect(...input: Parameters<SentinelConnector['connect']>) {
    // Ends the detector, and the lost connection.
    this.disconnect();
    return super.connect(...input);
  }
}
