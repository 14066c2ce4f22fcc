{{/* Full name of an image: {root, name, component}. */}}
{{- define "survey.image" -}}
{{- $image := .root.Values.image -}}
{{- .component.image | default (printf "%s-%s:%s" $image.repository .name ($image.tag | default .root.Chart.AppVersion)) -}}
{{- end }}

{{/* Fields of all pods: {root, component}. */}}
{{- define "survey.pod" -}}
automountServiceAccountToken: false
# Variables that Kubernetes injects for Services could collide with those of the processes.
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

{{/* Fields of all containers: {root, name, component}. */}}
{{- define "survey.container" -}}
image: {{ include "survey.image" . | quote }}
imagePullPolicy: {{ .root.Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  capabilities: { drop: [ALL] }
  readOnlyRootFilesystem: true
resources: {{- toYaml .component.resources | nindent 2 }}
{{- end }}

{{/* Mounts of the Secrets: {root, name, component}. */}}
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
