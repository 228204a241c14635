import { waitUntil } from '@continuity/testing';
import { startService, startTestWorkers, type TestService } from './service.ts';

/** Settings of a model for generation at `url` that is asked once. A busy machine may delay any answer. */
export const patientModel = (url: string) => ({
  MEMORY_AUTO_FLUSH: 'off',
  INFERENCE_GENERATION_MODEL: 'stub',
  INFERENCE_BASE_URL: url,
  INFERENCE_GENERATION_TIMEOUT_MS: '60000',
  INFERENCE_GENERATION_MAX_REQUESTS: '1',
});

/** A deployment for tests of a model that does not answer. */
export interface ImpatientService extends TestService {
  /** Gives the model of all later jobs the limit of `environment`: a busy machine may delay any answer. */
  waitForModel(): Promise<void>;
}

/** Starts a deployment whose workers wait 500 ms for their model, until `waitForModel` is called. It has no report worker. */
export async function startImpatientService(environment: Record<string, string>): Promise<ImpatientService> {
  const service = await startService({ environment });
  let workers = await startTestWorkers(service, { INFERENCE_GENERATION_TIMEOUT_MS: 500 });
  await waitUntil(async () => {
    const { checks } = (await service.call('get_readiness')).body;
    return checks['worker.memory-flush'] === 'ready';
  });
  return {
    ...service,
    waitForModel: async () => {
      // There is a worker all the time, so that no request is refused.
      const patient = await startTestWorkers(service, {});
      await workers.stop();
      workers = patient;
    },
    stop: async () => {
      await workers.stop();
      await service.stop();
    },
  };
}
