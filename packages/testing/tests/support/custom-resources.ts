const text = { type: 'string', minLength: 1 };
const positive = { type: 'integer', minimum: 1 };
const duration = { type: 'string', pattern: '^\\d+(ms|s|m)$' };

/** JSON Schemas of the custom resources of the chart, from their documented fields. Other fields are errors. */
export const customShapes: Readonly<Record<string, object>> = {
  ScaledObject: resource('keda.sh/v1alpha1', {
    scaleTargetRef: closed({ name: text, kind: text, apiVersion: text, envSourceContainerName: text }, [
      'name',
    ]),
    pollingInterval: positive,
    cooldownPeriod: positive,
    minReplicaCount: positive,
    maxReplicaCount: positive,
    advanced: closed({
      restoreToOriginalReplicaCount: { type: 'boolean' },
      horizontalPodAutoscalerConfig: closed({
        name: text,
        behavior: closed({ scaleDown: closed({ stabilizationWindowSeconds: positive }) }),
      }),
    }),
    triggers: {
      type: 'array',
      minItems: 1,
      items: closed(
        {
          type: { const: 'postgresql' },
          name: text,
          metricType: { enum: ['AverageValue', 'Value'] },
          // KEDA reads numbers from strings.
          metadata: closed(
            { query: text, targetQueryValue: { type: 'string', pattern: '^\\d+(\\.\\d+)?$' } },
            ['query', 'targetQueryValue'],
          ),
          authenticationRef: closed({ name: text }, ['name']),
        },
        ['type', 'metadata', 'authenticationRef'],
      ),
    },
  }),
  TriggerAuthentication: resource('keda.sh/v1alpha1', {
    secretTargetRef: {
      type: 'array',
      minItems: 1,
      items: closed({ parameter: { const: 'connection' }, name: text, key: text }, [
        'parameter',
        'name',
        'key',
      ]),
    },
  }),
  ServiceMonitor: resource('monitoring.coreos.com/v1', {
    selector: closed({ matchLabels: { type: 'object', additionalProperties: text } }, ['matchLabels']),
    namespaceSelector: closed({ matchNames: { type: 'array', items: text } }),
    endpoints: {
      type: 'array',
      minItems: 1,
      items: closed({ port: text, path: text, interval: duration, scrapeTimeout: duration }, ['port']),
    },
  }),
};

function resource(apiVersion: string, spec: Record<string, object>): object {
  return closed(
    {
      apiVersion: { const: apiVersion },
      kind: text,
      metadata: closed({ name: text, labels: { type: 'object', additionalProperties: text } }, ['name']),
      spec: closed(
        spec,
        Object.keys(spec).filter((name) => name === 'triggers' || name === 'endpoints'),
      ),
    },
    ['apiVersion', 'kind', 'metadata', 'spec'],
  );
}

function closed(properties: Record<string, object>, required: string[] = []): object {
  return { type: 'object', additionalProperties: false, properties, required };
}
