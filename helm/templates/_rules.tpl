{{/* Groups of files/rules.yaml for this installation. deploy/prometheus/render-rules.ts does the same. */}}
{{- define "survey.ruleGroups" -}}
{{- $values := .Values.prometheusRule -}}
{{- $installation := dict "namespace" ($values.selector.namespace | default .Release.Namespace) "release" ($values.selector.release | default .Release.Name) -}}
{{- $installation = merge $installation $values.selector.labels -}}
{{- $matchers := list -}}
{{- range $label, $value := $installation -}}
{{- $matchers = append $matchers (printf "%s=%s" $label ($value | quote)) -}}
{{- end -}}
{{- $ofInstallation := join ", " $matchers -}}
{{- $ofProcesses := printf "%s, job=~\"%s(gateway|identity|survey|response|webhook|import)\"" $ofInstallation $values.selector.jobPrefix -}}
{{- $groups := (.Files.Get "files/rules.yaml" | fromYaml).groups -}}
{{- $alerts := list -}}
{{- range $groups -}}
{{- $rules := list -}}
{{- range .rules -}}
{{- $rule := . -}}
{{- $expr := .expr | replace "$installation" $ofInstallation | replace "$processes" $ofProcesses | replace "$jobPrefix" $values.selector.jobPrefix -}}
{{- range $name, $percent := $values.objectives -}}
{{- $expr = replace (printf "$%s" $name) (toJson $percent) $expr -}}
{{- end -}}
{{- if .alert -}}
{{- $alerts = append $alerts .alert -}}
{{- $expr = replace "$threshold" (get $values.thresholds .alert | toJson) $expr -}}
{{- $_ := set $rule "labels" (merge (dict) (.labels | default dict) $values.alertLabels $installation) -}}
{{- with $values.runbookUrl -}}
{{- $_ := set $rule.annotations "runbook_url" (printf "%s#%s" . (lower $rule.alert)) -}}
{{- end -}}
{{- else -}}
{{- $_ := set $rule "labels" (merge (dict) (.labels | default dict) $installation) -}}
{{- end -}}
{{- $_ := set $rule "expr" $expr -}}
{{- if not (and .alert (has .alert $values.disabledAlerts)) -}}
{{- $rules = append $rules $rule -}}
{{- end -}}
{{- end -}}
{{- $_ := set . "rules" $rules -}}
{{- end -}}
{{- range $values.disabledAlerts -}}
{{- if not (has . $alerts) -}}
{{- fail (printf "prometheusRule.disabledAlerts: there is no alert %s" .) -}}
{{- end -}}
{{- end -}}
{{- toYaml $groups -}}
{{- end }}
