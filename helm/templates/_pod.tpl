{{/* Whole name of an image: {root, name, component}. */}}
{{- define "survey.image" -}}
{{- $image := .root.Values.image -}}
{{- .component.image | default (printf "%s-%s:%s" $image.repository .name ($image.tag | default .root.Chart.AppVersion)) -}}
{{- end }}

{{/* What all pods have in common: {root, component}. */}}
{{- define "survey.pod" -}}
automountServiceAccountToken: false
# What is injected for a Service named like one of ours would meet our variables.
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  seccompProfile: { type: RuntimeDefault }
{{- with .root.Values.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
{{- with .component.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .component.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .component.affinity }}
affinity: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .component.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- end }}

{{/* What all containers have in common: {root, name, component}. */}}
{{- define "survey.container" -}}
image: {{ include "survey.image" . | quote }}
imagePullPolicy: {{ .root.Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  capabilities: { drop: [ALL] }
  readOnlyRootFilesystem: true
resources: {{- toYaml .component.resources | nindent 2 }}
{{- end }}

{{/* Where a container finds the secrets: {root, name, component}. */}}
{{- define "survey.mounts" -}}
- { name: tmp, mountPath: /tmp }
{{- range $folder, $_ := include "survey.secrets" . | fromYaml }}
- { name: {{ $folder }}, mountPath: /etc/survey/{{ $folder }}, readOnly: true }
{{- end }}
{{- end }}

{{- define "survey.volumes" -}}
- { name: tmp, emptyDir: {} }
{{- range $folder, $secret := include "survey.secrets" . | fromYaml }}
- { name: {{ $folder }}, secret: { secretName: {{ $secret | quote }}, defaultMode: 0440 } }
{{- end }}
{{- end }}
