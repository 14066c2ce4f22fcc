{{/* What the names of all objects begin with; short enough for what is added. */}}
{{- define "survey.fullname" -}}
{{- $usual := ternary .Release.Name (printf "%s-%s" .Release.Name .Chart.Name) (contains .Chart.Name .Release.Name) -}}
{{- .Values.fullnameOverride | default $usual | trunc 40 | trimSuffix "-" -}}
{{- end }}

{{/* Name of the Service that every pod of a part is found by: {root, name}. */}}
{{- define "survey.headless" -}}
{{- printf "%s-%s-pods" (include "survey.fullname" .root) .name -}}
{{- end }}

{{/* What never changes of the labels, for selectors: {root, name}. */}}
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

{{/* The ports of the processes, by the names that edges.yaml has. */}}
{{- define "survey.ports" -}}
http: 8080
grpc: 9090
admin: 9464
{{- end }}
