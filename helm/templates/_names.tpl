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

{{/* Labels of every object: {root, name}. */}}
{{- define "survey.labels" -}}
{{ include "survey.selector" . }}
app.kubernetes.io/part-of: survey-platform
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- end }}

{{/* Ports of the processes, by their names in edges.yaml. */}}
{{- define "survey.ports" -}}
http: 8080
grpc: 9090
admin: 9464
{{- end }}
