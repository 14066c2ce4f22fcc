{{/* Prefix of all object names, short enough for suffixes. */}}
{{- define "survey.fullname" -}}
{{- $usual := ternary .Release.Name (printf "%s-%s" .Release.Name .Chart.Name) (contains .Chart.Name .Release.Name) -}}
{{- .Values.fullnameOverride | default $usual | trunc 40 | trimSuffix "-" -}}
{{- end }}

{{/* Name of the headless Service of a process: {root, name}. */}}
{{- define "survey.headless" -}}
{{- printf "%s-%s-pods" (include "survey.fullname" .root) .name -}}
{{- end }}

{{/* Labels that never change, for selectors: {root, name}. */}}
{{- define "survey.selector" -}}
app.kubernetes.io/name: {{ .root.Chart.Name }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .name }}
{{- end }}

{{/* Labels of every object and pod: {root, name}. */}}
{{- define "survey.labels" -}}
{{ include "survey.selector" . }}
app.kubernetes.io/part-of: survey-platform
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- with .root.Values.commonLabels }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{/* Labels and annotations of an object: {root, name}, or {root, name, annotations}. Its own annotations come last. */}}
{{- define "survey.metadata" -}}
labels: {{- include "survey.labels" . | nindent 2 }}
{{- $annotations := deepCopy .root.Values.commonAnnotations }}
{{- include "survey.overlay" (dict "base" $annotations "own" .annotations "depth" 0) }}
{{- with $annotations }}
annotations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{/* Name of the ServiceAccount of a process or Job: {root, name, account}. */}}
{{- define "survey.account" -}}
{{- $own := printf "%s-%s" (include "survey.fullname" .root) .name -}}
{{- .account.name | replace "{name}" .name | default (ternary $own "default" .account.create) -}}
{{- end }}

{{/* Ports of the processes, by their names in edges.yaml. */}}
{{- define "survey.ports" -}}
http: 8080
grpc: 9090
admin: 9464
{{- end }}

{{/* Annotations of an object that exists only while the set-up Job runs. The argument is its weight; the Job has 0. */}}
{{- define "survey.setupHook" -}}
helm.sh/hook: pre-install,pre-upgrade
helm.sh/hook-weight: {{ . | quote }}
helm.sh/hook-delete-policy: before-hook-creation,hook-succeeded
{{- end }}
