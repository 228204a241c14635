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

{{/*
The secret settings of a pod as JSON: `[{ name, secret, key, optional }]`. `groups` are of `database`, which the migration needs too,
`redis`, `inference` and `auth`. A setting of `secretFiles` must exist.
*/}}
{{- define "continuity.secrets" -}}
{{- $values := .root.Values -}}
{{- $all := list -}}
{{- if and (has "database" .groups) (not $values.database.serversFile.existingSecret) -}}
{{- $secret := include "continuity.databaseSecret" .root -}}
{{- $keys := $values.database.keys -}}
{{- if $values.database.host -}}
{{- $all = append $all (dict "name" "DATABASE_USER" "secret" $secret "key" $keys.user) -}}
{{- $all = append $all (dict "name" "DATABASE_PASSWORD" "secret" $secret "key" $keys.password) -}}
{{- else -}}
{{- $all = append $all (dict "name" "DATABASE_URL" "secret" $secret "key" $keys.url) -}}
{{- end -}}
{{- $all = append $all (dict "name" "DATABASE_DIRECT_URL" "secret" $secret "key" $keys.directUrl "optional" true) -}}
{{- end -}}
{{- if and (has "redis" .groups) $values.redis.enabled -}}
{{- $secret := required "Set existingSecret or redis.existingSecret." (default $values.existingSecret $values.redis.existingSecret) -}}
{{- $keys := $values.redis.keys -}}
{{- if $values.redis.host -}}
{{- $all = append $all (dict "name" "REDIS_USER" "secret" $secret "key" $keys.user "optional" true) -}}
{{- $all = append $all (dict "name" "REDIS_PASSWORD" "secret" $secret "key" $keys.password "optional" true) -}}
{{- else -}}
{{- $all = append $all (dict "name" "REDIS_URL" "secret" $secret "key" $keys.url) -}}
{{- end -}}
{{- if $values.redis.sentinels -}}
{{- $all = append $all (dict "name" "REDIS_SENTINEL_PASSWORD" "secret" $secret "key" $keys.sentinelPassword "optional" true) -}}
{{- end -}}
{{- end -}}
{{- $inference := default $values.existingSecret $values.inference.existingSecret -}}
{{- if and (has "inference" .groups) $inference -}}
{{- $all = append $all (dict "name" "INFERENCE_API_KEY" "secret" $inference "key" $values.inference.apiKeyKey "optional" true) -}}
{{- $all = append $all (dict "name" "INFERENCE_EMBEDDING_API_KEY" "secret" $inference "key" $values.inference.embeddingApiKeyKey "optional" true) -}}
{{- end -}}
{{- if and (has "auth" .groups) $values.auth.enabled (not $values.auth.tokensFile.existingSecret) -}}
{{- $secret := required "Set existingSecret, auth.existingSecret or auth.tokensFile.existingSecret, or auth.enabled to false." (default $values.existingSecret $values.auth.existingSecret) -}}
{{- $all = append $all (dict "name" "AUTH_TOKEN" "secret" $secret "key" $values.auth.tokenKey) -}}
{{- end -}}
{{- toJson $all -}}
{{- end -}}

{{/* The secrets as variables: the value, or the path of its file. */}}
{{- define "continuity.secretEnv" -}}
{{- range include "continuity.secrets" . | fromJsonArray }}
{{- if has .name $.root.Values.secretFiles }}
- name: {{ .name }}_FILE
  value: /etc/continuity/secrets/{{ .name }}
{{- else }}
- name: {{ .name }}
  valueFrom:
    secretKeyRef:
      name: {{ .secret }}
      key: {{ .key }}
      {{- if .optional }}
      optional: true
      {{- end }}
{{- end }}
{{- end }}
{{- end -}}

{{/* The volume of the secrets that processes read from files. */}}
{{- define "continuity.secretVolumes" -}}
{{- $files := include "continuity.secretFiles" . | fromJsonArray }}
{{- with $files }}
- name: secrets
  projected:
    defaultMode: 0440
    sources:
      {{- range . }}
      - secret:
          name: {{ .secret }}
          items: [{ key: {{ .key }}, path: {{ .name }} }]
      {{- end }}
{{- end }}
{{- end -}}

{{- define "continuity.secretMounts" -}}
{{- if include "continuity.secretFiles" . | fromJsonArray }}
- name: secrets
  mountPath: /etc/continuity/secrets
  readOnly: true
{{- end }}
{{- end -}}

{{- define "continuity.secretFiles" -}}
{{- $files := list -}}
{{- range include "continuity.secrets" . | fromJsonArray -}}
{{- if has .name $.root.Values.secretFiles }}{{ $files = append $files . }}{{ end -}}
{{- end -}}
{{- toJson $files -}}
{{- end -}}

{{/* The parts of the address of PostgreSQL that are no secrets. */}}
{{- define "continuity.databaseEnv" -}}
{{- with .Values.database -}}
{{- if .serversFile.existingSecret }}
- name: DATABASE_SERVERS_FILE
  value: /etc/continuity/servers/{{ .serversFile.key }}
{{- else if .host }}
- name: DATABASE_HOST
  value: {{ .host | quote }}
- name: DATABASE_NAME
  value: {{ required "Set database.name beside database.host." .name | quote }}
{{- if .port }}
- name: DATABASE_PORT
  value: {{ include "continuity.settingValue" .port | quote }}
{{- end }}
{{- with .parameters }}
- name: DATABASE_PARAMETERS
  value: {{ . | quote }}
{{- end }}
{{- end }}
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
{{- if .Values.embedder.enabled }}{{ $_ := set $settings "EMBEDDER_URL" (printf "http://%s-embedder:8000" (include "continuity.fullname" .)) }}{{ end -}}
{{- with .Values.redis -}}
{{- if .enabled -}}
{{- if .host -}}
{{- $_ := set $settings "REDIS_HOST" .host -}}
{{- with .port }}{{ $_ := set $settings "REDIS_PORT" . }}{{ end -}}
{{- $_ := set $settings "REDIS_TLS" .tls.enabled -}}
{{- end -}}
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
{{- $known := .Files.Get "files/settings.json" | fromJson -}}
{{- range .Values.secretFiles -}}
{{- if not (has . $known.secret) }}{{ fail (printf "secretFiles has %s, which is no secret setting." .) }}{{ end -}}
{{- end -}}
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
{{- with .Values.database.serversFile.existingSecret }}
- name: database-servers
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
{{- if .Values.database.serversFile.existingSecret }}
- name: database-servers
  mountPath: /etc/continuity/servers
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
{{- if .component }}
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
{{- if eq (toString $values.enabled) "auto" -}}
{{- $isUseful := true -}}
{{- if eq $queue "memory-embed" }}{{ $isUseful = or $.Values.embedder.enabled (hasKey $.Values.settings "INFERENCE_EMBEDDING_MODEL") (hasKey $values.settings "INFERENCE_EMBEDDING_MODEL") }}{{ end -}}
{{- if eq $queue "external-skill-scan" }}{{ $isUseful = not (empty $.Values.externalSkills.hosts) }}{{ end -}}
{{- $_ := set $values "enabled" $isUseful -}}
{{- end -}}
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
{{- if .Values.embedder.enabled }}{{ $components = append $components "embedder" }}{{ end -}}
{{- range (include "continuity.queues" . | fromJson) }}{{ $components = append $components .component }}{{ end -}}
{{- toJson $components -}}
{{- end -}}

{{/*
The replicas of a Deployment that an autoscaler manages: the current number, because Helm would reset a field that it no longer renders to
one. Nothing without a cluster (`helm template`) or before the installation: the autoscaler then sets its minimum.
*/}}
{{- define "continuity.currentReplicas" -}}
{{- $deployment := lookup "apps/v1" "Deployment" .root.Release.Namespace .name -}}
{{- with $deployment }}
replicas: {{ max 1 (int .spec.replicas) }}
{{- end }}
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
