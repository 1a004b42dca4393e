{{- define "server" }}{{ .Release.Name }}-server{{ end }}
{{- define "worker" }}{{ .Release.Name }}-worker{{ end }}
{{- define "url" }}https://{{ include "server" . }}.{{ .Release.Namespace }}.svc:{{ .Values.server.port }}{{ end }}
{{- define "labels" -}}
app.kubernetes.io/name: pangolin-farm
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}
{{- define "security" -}}
allowPrivilegeEscalation: false
capabilities: {drop: [ALL]}
runAsNonRoot: true
{{- end }}
