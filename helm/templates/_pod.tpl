{{/* Full name of an image: {root, name, component}. */}}
{{- define "survey.image" -}}
{{- $image := .root.Values.image -}}
{{- $registry := dig "imageRegistry" "" (.root.Values.global | default dict) | default $image.registry -}}
{{- if .component.image -}}
  {{- .component.image -}}
{{- else -}}
  {{- if and $registry (regexMatch "^([^/]*[.:][^/]*|localhost)/" $image.repository) -}}
    {{- fail "image.repository has a registry: set image.registry and remove it from image.repository" -}}
  {{- end -}}
  {{- with $registry }}{{ trimSuffix "/" . }}/{{ end -}}
  {{- printf "%s-%s:%s" $image.repository .name ($image.tag | default .root.Chart.AppVersion) -}}
  {{- with get $image.digests .name }}@{{ . }}{{ end -}}
{{- end -}}
{{- end }}

{{/* Fields of all pods: {root, component}. */}}
{{- define "survey.pod" -}}
automountServiceAccountToken: {{ dig "serviceAccount" "automount" false .component }}
# Variables that Kubernetes injects for Services could collide with those of the processes.
enableServiceLinks: false
{{- with .component.podSecurityContext }}
securityContext: {{- toYaml . | nindent 2 }}
{{- end }}
{{- $secrets := list }}
{{- range concat (get (.root.Values.global | default dict) "imagePullSecrets" | default list) (.root.Values.imagePullSecrets | default list) }}
{{- $secrets = append $secrets (kindIs "string" . | ternary (dict "name" .) .) }}
{{- end }}
{{- with uniq $secrets }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
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
{{- with .component.securityContext }}
securityContext: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .component.resources }}
resources: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{/*
Mounts of the Secrets and extra volumes: {root, name, component, prefix}. `prefix` keeps the volumes of several services
in one pod apart.
*/}}
{{- define "survey.mounts" -}}
{{- $prefix := .prefix | default "" -}}
- { name: {{ $prefix }}tmp, mountPath: /tmp }
{{- range $folder, $_ := include "survey.secrets" . | fromYaml }}
- { name: {{ $prefix }}{{ $folder }}, mountPath: /etc/survey/{{ $folder }}, readOnly: true }
{{- end }}
{{- range .component.volumeMounts }}
- {{ toYaml (set (deepCopy .) "name" (print $prefix .name)) | nindent 2 | trim }}
{{- end }}
{{- end }}

{{/* Volumes of these mounts: {root, name, component, prefix}. */}}
{{- define "survey.volumes" -}}
{{- $prefix := .prefix | default "" -}}
- { name: {{ $prefix }}tmp, emptyDir: {} }
{{- range $folder, $secret := include "survey.secrets" . | fromYaml }}
- { name: {{ $prefix }}{{ $folder }}, secret: { secretName: {{ $secret | quote }}, defaultMode: 0440 } }
{{- end }}
{{- range .component.volumes }}
- {{ toYaml (set (deepCopy .) "name" (print $prefix .name)) | nindent 2 | trim }}
{{- end }}
{{- end }}

{{/* A probe: {own, request}. The chart's request applies if the value has none. */}}
{{- define "survey.probe" -}}
{{- $probe := deepCopy .own -}}
{{- if not (or $probe.httpGet $probe.grpc $probe.tcpSocket $probe.exec) -}}
  {{- $probe = merge $probe .request -}}
{{- end -}}
{{- toYaml $probe -}}
{{- end }}

{{/* Constraints for the spread of a process: {root, name, component}. */}}
{{- define "survey.spread" -}}
{{- $own := dict "matchLabels" (include "survey.selector" . | fromYaml) -}}
{{- range .component.topologySpreadConstraints }}
{{- $constraint := deepCopy . }}
{{- if not (hasKey . "labelSelector") }}
{{- $_ := set $constraint "labelSelector" $own }}
{{- /* Pods of an older version do not count during a rollout. */}}
{{- if not (hasKey . "matchLabelKeys") }}{{ $_ := set $constraint "matchLabelKeys" (list "pod-template-hash") }}{{ end }}
{{- end }}
- {{ toYaml $constraint | nindent 2 | trim }}
{{- end }}
{{- end }}
