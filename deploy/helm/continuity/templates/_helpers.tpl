{{/* Names and labels. */}}
{{- define "continuity.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 40 | trimSuffix "-" -}}
{{- else -}}
{{- $name := default .Chart.Name .Values.nameOverride -}}
{{- ternary .Release.Name (printf "%s-%s" .Release.Name $name) (contains $name .Release.Name) | trunc 40 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "continuity.selectorLabels" -}}
app.kubernetes.io/name: {{ default .root.Chart.Name .root.Values.nameOverride | trunc 63 | trimSuffix "-" }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
{{- with .component }}
app.kubernetes.io/component: {{ . }}
{{- end }}
{{- end -}}

{{- define "continuity.labels" -}}
{{ include "continuity.selectorLabels" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version | replace "+" "_" }}
{{- end -}}

{{- define "continuity.serviceAccountName" -}}
{{- if .Values.serviceAccount.create -}}
{{- default (include "continuity.fullname" .) .Values.serviceAccount.name -}}
{{- else -}}
{{- default "default" .Values.serviceAccount.name -}}
{{- end -}}
{{- end -}}

{{- define "continuity.image" -}}
{{- with .Values.image -}}
{{- if .digest -}}
{{ .repository }}@{{ .digest }}
{{- else -}}
{{ .repository }}:{{ default $.Chart.AppVersion .tag }}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* Secrets: that of one group of settings, or the common one. */}}
{{- define "continuity.databaseSecret" -}}
{{- required "Set existingSecret or database.existingSecret." (default .Values.existingSecret .Values.database.existingSecret) -}}
{{- end -}}

{{- define "continuity.secretVariable" -}}
- name: {{ .name }}
  valueFrom:
    secretKeyRef:
      name: {{ .secret }}
      key: {{ .key }}
      {{- if .optional }}
      optional: true
      {{- end }}
{{- end -}}

{{/* Environment for PostgreSQL, which the migration needs too. */}}
{{- define "continuity.databaseEnv" -}}
{{- $secret := include "continuity.databaseSecret" . -}}
{{ include "continuity.secretVariable" (dict "name" "DATABASE_URL" "secret" $secret "key" .Values.database.keys.url) }}
{{ include "continuity.secretVariable" (dict "name" "DATABASE_DIRECT_URL" "secret" $secret "key" .Values.database.keys.directUrl "optional" true) }}
{{- end -}}

{{/* The secrets of gateways, workers and report workers. */}}
{{- define "continuity.storeEnv" -}}
{{ include "continuity.databaseEnv" . }}
{{- if .Values.redis.enabled }}
{{- $redis := required "Set existingSecret or redis.existingSecret." (default .Values.existingSecret .Values.redis.existingSecret) }}
{{ include "continuity.secretVariable" (dict "name" "REDIS_URL" "secret" $redis "key" .Values.redis.keys.url) }}
{{- if .Values.redis.sentinels }}
{{ include "continuity.secretVariable" (dict "name" "REDIS_SENTINEL_PASSWORD" "secret" $redis "key" .Values.redis.keys.sentinelPassword "optional" true) }}
{{- end }}
{{- end }}
{{- end -}}

{{- define "continuity.inferenceEnv" -}}
{{- with default .Values.existingSecret .Values.inference.existingSecret -}}
{{ include "continuity.secretVariable" (dict "name" "INFERENCE_API_KEY" "secret" . "key" $.Values.inference.apiKeyKey "optional" true) }}
{{ include "continuity.secretVariable" (dict "name" "INFERENCE_EMBEDDING_API_KEY" "secret" . "key" $.Values.inference.embeddingApiKeyKey "optional" true) }}
{{- end -}}
{{- end -}}

{{/* A setting as text for the environment. YAML reads `on` as a boolean, and a large number as a float. */}}
{{- define "continuity.settingValue" -}}
{{- if kindIs "bool" . -}}
{{- ternary "on" "off" . -}}
{{- else if and (kindIs "float64" .) (eq (floor .) .) -}}
{{- printf "%d" (int64 .) -}}
{{- else -}}
{{- toString . -}}
{{- end -}}
{{- end -}}

{{/* Fails for unknown settings and for secrets. */}}
{{- define "continuity.requireSettings" -}}
{{- $known := .root.Files.Get "files/settings.json" | fromJson -}}
{{- range $name := keys .settings | sortAlpha -}}
{{- if has $name $known.secret -}}
{{- fail (printf "%s is a secret: put it into existingSecret." $name) -}}
{{- else if not (has $name $known.plain) -}}
{{- fail (printf "The service has no setting %s." $name) -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* The settings of all processes as JSON: those of the values, then `settings`. */}}
{{- define "continuity.settings" -}}
{{- $settings := dict "HOST" "0.0.0.0" "PORT" 8000 "METRICS_PORT" .Values.metrics.port "WORKER_METRICS_PORT" .Values.metrics.port -}}
{{- $_ := set $settings "SHUTDOWN_GRACE_MS" (mul .Values.shutdownGraceSeconds 1000) -}}
{{- $_ := set $settings "DATABASE_PREPARED_STATEMENTS" .Values.database.preparedStatements -}}
{{- with .Values.redis -}}
{{- if .enabled -}}
{{- with .sentinels }}{{ $_ := set $settings "REDIS_SENTINELS" (join "," .) }}{{ end -}}
{{- with .clusterNodes }}{{ $_ := set $settings "REDIS_CLUSTER_NODES" (join "," .) }}{{ end -}}
{{- if .tls.existingSecret -}}
{{- with .tls.caKey }}{{ $_ := set $settings "REDIS_TLS_CA_FILE" (printf "/etc/continuity/redis-tls/%s" .) }}{{ end -}}
{{- with .tls.certKey }}{{ $_ := set $settings "REDIS_TLS_CERT_FILE" (printf "/etc/continuity/redis-tls/%s" .) }}{{ end -}}
{{- with .tls.keyKey }}{{ $_ := set $settings "REDIS_TLS_KEY_FILE" (printf "/etc/continuity/redis-tls/%s" .) }}{{ end -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- include "continuity.requireSettings" (dict "root" . "settings" .Values.settings) -}}
{{- mergeOverwrite $settings .Values.settings | toJson -}}
{{- end -}}

{{/* Settings of one component, as a list of environment variables. */}}
{{- define "continuity.settingsEnv" -}}
{{- include "continuity.requireSettings" . -}}
{{- range $name := keys .settings | sortAlpha }}
- name: {{ $name }}
  value: {{ include "continuity.settingValue" (get $.settings $name) | quote }}
{{- end }}
{{- end -}}

{{/* Volumes of the temporary directory and of certificates. */}}
{{- define "continuity.volumes" -}}
- name: temporary
  emptyDir:
    sizeLimit: {{ .Values.temporarySizeLimit }}
{{- with .Values.database.tls.existingSecret }}
- name: database-tls
  secret:
    secretName: {{ . }}
    defaultMode: 0440
{{- end }}
{{- end -}}

{{- define "continuity.volumeMounts" -}}
- name: temporary
  mountPath: /tmp
{{- if .Values.database.tls.existingSecret }}
- name: database-tls
  mountPath: /etc/continuity/database-tls
  readOnly: true
{{- end }}
{{- end -}}

{{- define "continuity.redisVolumes" -}}
{{- if and .Values.redis.enabled .Values.redis.tls.existingSecret }}
- name: redis-tls
  secret:
    secretName: {{ .Values.redis.tls.existingSecret }}
    defaultMode: 0440
{{- end }}
{{- end -}}

{{- define "continuity.redisVolumeMounts" -}}
{{- if and .Values.redis.enabled .Values.redis.tls.existingSecret }}
- name: redis-tls
  mountPath: /etc/continuity/redis-tls
  readOnly: true
{{- end }}
{{- end -}}

{{/* Fields that all pods have in common. */}}
{{- define "continuity.podBasics" -}}
automountServiceAccountToken: false
{{- with .Values.image.pullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
securityContext:
  {{- toYaml .Values.podSecurityContext | nindent 2 }}
{{- end -}}

{{- define "continuity.scheduling" -}}
{{- with .values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .values.affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .values.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- with .root.Values.topologySpreadConstraints }}
topologySpreadConstraints:
  {{- range . }}
  - {{- toYaml . | nindent 4 }}
    labelSelector:
      matchLabels:
        {{- include "continuity.selectorLabels" (dict "root" $.root "component" $.component) | nindent 8 }}
    matchLabelKeys: [pod-template-hash]
  {{- end }}
{{- end }}
{{- end -}}

{{- define "continuity.container" -}}
image: {{ include "continuity.image" . }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  {{- toYaml .Values.securityContext | nindent 2 }}
{{- end -}}

{{/* The queues with their values, as JSON: `{ <queue>: { component, program, values } }`. */}}
{{- define "continuity.queues" -}}
{{- $queues := dict -}}
{{- range $queue, $own := .Values.workers.queues -}}
{{- $values := mergeOverwrite (deepCopy $.Values.workers.defaults) (default dict $own) -}}
{{- if $values.enabled -}}
{{- $env := dict "WORKER_QUEUES" $queue "WORKER_CONCURRENCY" $values.concurrency -}}
{{- $_ := set $queues $queue (dict "component" (printf "worker-%s" $queue) "program" "dist/workers.mjs" "env" $env "values" $values) -}}
{{- end -}}
{{- end -}}
{{- $values := mergeOverwrite (deepCopy .Values.workers.defaults) .Values.reports -}}
{{- if $values.enabled -}}
{{- $env := dict "REPORT_CONCURRENCY" $values.concurrency -}}
{{- $_ := set $queues "report-render" (dict "component" "reports" "program" "dist/reports.mjs" "env" $env "values" $values) -}}
{{- end -}}
{{- toJson $queues -}}
{{- end -}}

{{/* The components with a Deployment, as a JSON array. */}}
{{- define "continuity.components" -}}
{{- $components := list "gateway" -}}
{{- range (include "continuity.queues" . | fromJson) }}{{ $components = append $components .component }}{{ end -}}
{{- toJson $components -}}
{{- end -}}

{{/* Names under which clients reach the gateways. */}}
{{- define "continuity.allowedHosts" -}}
{{- $name := include "continuity.fullname" . -}}
{{- $service := list $name (printf "%s.%s" $name .Release.Namespace) (printf "%s.%s.svc" $name .Release.Namespace) (printf "%s.%s.svc.cluster.local" $name .Release.Namespace) -}}
{{- join "," (concat $service .Values.service.allowedHosts) -}}
{{- end -}}

{{/* The file of the hosts of External Skills, for the processes that read it. */}}
{{- define "continuity.skillHostsEnv" -}}
{{- if .Values.externalSkills.hosts }}
- name: EXTERNAL_SKILLS_FILE
  value: /etc/continuity/external-skills/external-skills.json
{{- end }}
{{- end -}}

{{- define "continuity.skillHostsMount" -}}
{{- if .Values.externalSkills.hosts }}
- name: external-skills
  mountPath: /etc/continuity/external-skills
  readOnly: true
{{- end }}
{{- end -}}

{{- define "continuity.skillHostsVolume" -}}
{{- if .Values.externalSkills.hosts }}
- name: external-skills
  configMap:
    name: {{ include "continuity.fullname" . }}-external-skills
{{- end }}
{{- end -}}

{{/* Checksum of the configuration. The pods restart when it changes. */}}
{{- define "continuity.checksum" -}}
{{- printf "%s%s" (include "continuity.settings" .) (toJson .Values.externalSkills.hosts) | sha256sum -}}
{{- end -}}
