import { type InferenceStub, type RunningProcess, startInferenceStub } from '@continuity/testing';
import { generationCalls, selectCandidates } from './generation.ts';
import { startService, type TestService } from './service.ts';
import { query } from './sql.ts';
import { startWorkerProcess } from './worker-process.ts';

/** An Experience that a stub model proposes. */
export const proposal = {
  situation: 'Checkout timed out.',
  action: 'The pool was raised.',
  outcome: 'It took eleven minutes.',
  lesson: 'Alert on pool use.',
};

/** A service without workers, and workers that a test starts and kills. */
interface GeneratingService {
  stub: InferenceStub;
  service: TestService;
  calls: ReturnType<typeof generationCalls>;
  startWorker(environment?: Record<string, string>): Promise<RunningProcess>;
  /** Kills a worker. It counts as lost at once, so that its jobs run on another one. */
  loseWorker(worker: RunningProcess): Promise<void>;
  candidates(): Promise<unknown[]>;
  /** Ends all workers that were started. */
  endWorkers(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a service that generates by a stub model. */
export async function startGeneratingService(): Promise<GeneratingService> {
  const stub = await startInferenceStub();
  const model = { INFERENCE_GENERATION_MODEL: 'stub', INFERENCE_BASE_URL: stub.url };
  const service = await startService({ environment: model });
  const workers: RunningProcess[] = [];
  return {
    stub,
    service,
    calls: generationCalls(service),
    async startWorker(environment = {}) {
      const worker = await startWorkerProcess(service, {
        ...model,
        WORKER_QUEUES: 'candidate-generation',
        ...environment,
      });
      workers.push(worker);
      return worker;
    },
    async loseWorker(worker) {
      worker.kill('SIGKILL');
      await worker.exited;
      await query(service.databaseUrl, 'DELETE FROM workers');
    },
    candidates: () => query(service.databaseUrl, selectCandidates),
    async endWorkers() {
      for (const worker of workers.splice(0)) await worker[Symbol.asyncDispose]();
    },
    async stop() {
      await service.stop();
      await stub.close();
    },
  };
}
