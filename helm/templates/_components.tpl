{{/*
Overlays a map with another one, in place: {base, own, depth}. Maps are merged down to `depth` levels. 0, false and ""
count as values; null removes a member.
*/}}
{{- define "survey.overlay" -}}
{{- range $key, $value := .own -}}
  {{- $old := get $.base $key -}}
  {{- if kindIs "invalid" $value -}}
    {{- $_ := unset $.base $key -}}
  {{- else if and (kindIs "map" $value) (kindIs "map" $old) (gt (int $.depth) 0) -}}
    {{- include "survey.overlay" (dict "base" $old "own" $value "depth" (sub $.depth 1)) -}}
  {{- else -}}
    {{- $_ := set $.base $key $value -}}
  {{- end -}}
{{- end -}}
{{- end }}

{{/* The gateway and the services by name, merged with `defaults`. Maps (env, resources, secrets, …) are merged by member. */}}
{{- define "survey.components" -}}
{{- $components := dict -}}
{{- range $name, $own := set (deepCopy .Values.services) "gateway" .Values.gateway -}}
  {{- $component := deepCopy $.Values.defaults -}}
  {{- range $key, $value := $own -}}
    {{- /* `autoscaling` has maps itself. */ -}}
    {{- $depth := ternary 2 1 (eq $key "autoscaling") -}}
    {{- include "survey.overlay" (dict "base" $component "own" (dict $key $value) "depth" $depth) -}}
  {{- end -}}
  {{- $_ := set $components $name $component -}}
{{- end -}}
{{- toYaml $components -}}
{{- end }}

{{/* The values of the set-up Job, with the placement and security context of `defaults`. */}}
{{- define "survey.setup" -}}
{{- $setup := deepCopy (pick .Values.defaults "podSecurityContext" "nodeSelector" "tolerations" "affinity" "priorityClassName") -}}
{{- include "survey.overlay" (dict "base" $setup "own" .Values.setup "depth" 1) -}}
{{- toYaml $setup -}}
{{- end }}

{{/* Secrets of a process, by their mount folder below /etc/survey: {root, name, component}. */}}
{{- define "survey.secrets" -}}
{{- $own := .component.secrets -}}
{{- $kafka := .root.Values.kafka -}}
{{- $secrets := dict "internal-key" $own.internalKey "tls" .root.Values.tlsSecret -}}
{{- if eq .name "gateway" -}}
  {{- $_ := set $secrets "issuers" $own.issuers -}}
  {{- $_ := set $secrets "metrics-token" $own.metricsToken -}}
{{- else -}}
  {{- $_ := set $secrets "internal-jwks" $own.internalJwks -}}
  {{- $_ := set $secrets "encryption-keyring" $own.encryptionKeyring -}}
  {{- $_ := set $secrets "mongodb" $own.mongodb -}}
  {{- $_ := set $secrets "kafka-tls" $kafka.tls.secret -}}
  {{- $_ := set $secrets "kafka-sasl" $kafka.sasl.secret -}}
{{- end -}}
{{- range $folder, $secret := $secrets -}}
  {{- if $secret }}
{{ $folder }}: {{ $secret | replace "{name}" $.name | quote }}
  {{- end -}}
{{- end -}}
{{- end }}

{{/* Environment variables of a process that are text: {root, name, component}. */}}
{{- define "survey.environment" -}}
{{- $root := .root -}}
{{- $ports := include "survey.ports" . | fromYaml -}}
{{- $secrets := include "survey.secrets" . | fromYaml -}}
{{- $kafka := $root.Values.kafka -}}
{{- $env := dict -}}
{{- $_ := set $env "ADMIN_PORT" (toString $ports.admin) -}}
{{- $_ := set $env "DRAIN_MS" (printf "%d000" (int .component.drainSeconds)) -}}
{{- $_ := set $env "STOP_MS" (printf "%d000" (int .component.stopSeconds)) -}}
{{- if index $secrets "internal-key" -}}{{- $_ := set $env "INTERNAL_KEY_FILE" "/etc/survey/internal-key/key.json" -}}{{- end -}}
{{- if $secrets.tls -}}{{- $_ := set $env "TLS_DIR" "/etc/survey/tls" -}}{{- end -}}
{{- if eq .name "gateway" -}}
  {{- $_ := set $env "PORT" (toString $ports.http) -}}
  {{- if and $secrets.issuers (not (hasKey .component.env "JWT_ISSUERS")) -}}
    {{- $_ := set $env "JWT_JWKS_FILE" "/etc/survey/issuers/jwks.json" -}}
  {{- end -}}
  {{- if index $secrets "metrics-token" -}}
    {{- $_ := set $env "METRICS_TOKEN_FILE" "/etc/survey/metrics-token/token" -}}
  {{- end -}}
  {{- $console := $root.Values.gateway.console -}}
  {{- $_ := set $env "CONSOLE_ENABLED" (toString $console.enabled) -}}
  {{- if $console.oidc.issuer -}}
    {{- $_ := set $env "CONSOLE_OIDC_ISSUER" $console.oidc.issuer -}}
    {{- $_ := set $env "CONSOLE_OIDC_CLIENT_ID" $console.oidc.clientId -}}
    {{- $_ := set $env "CONSOLE_OIDC_SCOPE" $console.oidc.scope -}}
    {{- if $console.oidc.audience -}}{{- $_ := set $env "CONSOLE_OIDC_AUDIENCE" $console.oidc.audience -}}{{- end -}}
    {{- if $console.oidc.origins -}}{{- $_ := set $env "CONSOLE_OIDC_ORIGINS" (join "," $console.oidc.origins) -}}{{- end -}}
  {{- end -}}
  {{- $_ := set $env "RESPOND_ENABLED" (toString $root.Values.gateway.respond.enabled) -}}
{{- else -}}
  {{- $_ := set $env "HTTP_PORT" (toString $ports.http) -}}
  {{- $_ := set $env "GRPC_PORT" (toString $ports.grpc) -}}
  {{- if index $secrets "internal-jwks" -}}
    {{- $_ := set $env "INTERNAL_JWKS_FILE" "/etc/survey/internal-jwks/jwks.json" -}}
  {{- end -}}
  {{- if index $secrets "encryption-keyring" -}}
    {{- $_ := set $env "ENCRYPTION_KEYRING_FILE" "/etc/survey/encryption-keyring/keyring.json" -}}
  {{- end -}}
  {{- if $secrets.mongodb -}}{{- $_ := set $env "MONGODB_URI_FILE" "/etc/survey/mongodb/uri" -}}{{- end -}}
  {{- $_ := set $env "KAFKA_BROKERS" $kafka.brokers -}}
  {{- $_ := set $env "KAFKA_TOPIC_PARTITIONS" (toString (int $kafka.topics.partitions)) -}}
  {{- $_ := set $env "KAFKA_TOPIC_REPLICATION" (toString (int $kafka.topics.replication)) -}}
  {{- if $kafka.tls.enabled -}}{{- $_ := set $env "KAFKA_TLS" "true" -}}{{- end -}}
  {{- if $kafka.tls.secret -}}{{- $_ := set $env "KAFKA_TLS_CA_FILE" "/etc/survey/kafka-tls/ca.crt" -}}{{- end -}}
  {{- if $kafka.tls.clientCertificate -}}
    {{- $_ := set $env "KAFKA_TLS_CERT_FILE" "/etc/survey/kafka-tls/tls.crt" -}}
    {{- $_ := set $env "KAFKA_TLS_KEY_FILE" "/etc/survey/kafka-tls/tls.key" -}}
  {{- end -}}
  {{- if ne $kafka.sasl.mechanism "none" -}}
    {{- $_ := set $env "KAFKA_SASL_MECHANISM" $kafka.sasl.mechanism -}}
    {{- $_ := set $env "KAFKA_SASL_USERNAME" $kafka.sasl.username -}}
    {{- $_ := set $env "KAFKA_SASL_PASSWORD_FILE" "/etc/survey/kafka-sasl/password" -}}
  {{- end -}}
{{- end -}}
{{- $scheme := ternary "https" "http" (not (empty $secrets.tls)) -}}
{{- $calls := dig .name "calls" dict ($root.Files.Get "files/edges.yaml" | fromYaml) -}}
{{- range $callee, $reached := $calls -}}
  {{- $service := printf "%s-%s" (include "survey.fullname" $root) $callee -}}
  {{- $pods := include "survey.headless" (dict "root" $root "name" $callee) -}}
  {{- if has "http" $reached -}}
    {{- $_ := set $env (printf "%s_URL" (upper $callee)) (printf "%s://%s:%v" $scheme $service $ports.http) -}}
  {{- end -}}
  {{- if has "grpc" $reached -}}
    {{- $_ := set $env (printf "%s_GRPC_ADDRESS" (upper $callee)) (printf "%s:%v" $pods $ports.grpc) -}}
  {{- end -}}
  {{- if has "admin" $reached -}}
    {{- $_ := set $env (printf "%s_ADMIN_URL" (upper $callee)) (printf "http://%s:%v" $pods $ports.admin) -}}
  {{- end -}}
{{- end -}}
{{- range $variable, $value := .component.env -}}
  {{- if hasKey $env $variable -}}
    {{- fail (printf "env of %s: %s is set by the chart, use the chart's value for it" $.name $variable) -}}
  {{- end -}}
  {{- if hasKey $env (printf "%s_FILE" $variable) -}}
    {{- fail (printf "env of %s: %s is a secret, use the Secret that the chart mounts as a file" $.name $variable) -}}
  {{- end -}}
  {{- if kindIs "string" $value -}}{{- $_ := set $env $variable $value -}}{{- end -}}
{{- end -}}
{{- toYaml $env -}}
{{- end }}

{{/* Environment variables of a process with `valueFrom`, as entries of a container: {component}. */}}
{{- define "survey.referenced" -}}
{{- range $variable, $value := .component.env }}
{{- if kindIs "map" $value }}
- name: {{ $variable }}
  {{- toYaml $value | nindent 2 }}
{{- end }}
{{- end }}
{{- end }}
