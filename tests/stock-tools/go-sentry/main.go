// What the Terraform provider jianyuan/sentry does through its client, github.com/jianyuan/go-sentry: each kind of thing is made,
// read back, changed and destroyed. It prints what the client decoded, as JSON.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"

	"github.com/jianyuan/go-sentry/v2/sentry"
)

type withToken struct{ token string }

func (t withToken) RoundTrip(req *http.Request) (*http.Response, error) {
	req.Header.Set("Authorization", "Bearer "+t.token)
	return http.DefaultTransport.RoundTrip(req)
}

const org = "acme"

var (
	ctx    = context.Background()
	client *sentry.Client
	out    = map[string]any{}
)

func main() {
	var err error
	transport := withToken{os.Getenv("SENTRY_AUTH_TOKEN")}
	client, err = sentry.NewOnPremiseClient(os.Getenv("SENTRY_URL"), &http.Client{Transport: transport})
	must("make the client", err)
	organization, response, err := client.Organizations.Get(ctx, org)
	must("get the organization", err)
	out["organization"] = organization.Slug
	out["rate"] = response.Rate
	teams()
	keys()
	filters()
	ownership()
	issueAlerts()
	metricAlerts()
	spikes()
	deploys()
	members()
	destroyed()
	must("print", json.NewEncoder(os.Stdout).Encode(out))
}

func teams() {
	team, _, err := client.Teams.Create(ctx, org, &sentry.CreateTeamParams{Name: sentry.String("Infra"), Slug: sentry.String("infra")})
	must("create a team", err)
	_, _, err = client.Teams.Update(ctx, org, *team.Slug, &sentry.UpdateTeamParams{Name: sentry.String("Infrastructure")})
	must("rename the team", err)
	team, _, err = client.Teams.Get(ctx, org, "infra")
	must("get the team", err)
	out["team"] = team
	noRules := false
	project, _, err := client.Projects.Create(ctx, org, "infra", &sentry.CreateProjectParams{
		Name: "Made by Terraform", Slug: "made", Platform: "go", DefaultRules: &noRules})
	must("create a project", err)
	_, _, err = client.Projects.Update(ctx, org, project.Slug, &sentry.UpdateProjectParams{Name: "Renamed"})
	must("rename the project", err)
	project, _, err = client.Projects.Get(ctx, org, "made")
	must("get the project", err)
	out["project"] = map[string]any{"slug": project.Slug, "name": project.Name, "platform": project.Platform, "teams": len(project.Teams)}
	_, _, err = client.Projects.Create(ctx, org, "infra", &sentry.CreateProjectParams{Name: "Made by Terraform", Slug: "made"})
	out["twice"] = statusOf(err)
}

func keys() {
	limit := &sentry.ProjectKeyRateLimit{Window: 60, Count: 100}
	key, _, err := client.ProjectKeys.Create(ctx, org, "made", &sentry.CreateProjectKeyParams{Name: "first", RateLimit: limit})
	must("create a key", err)
	out["keyAsMade"] = map[string]any{"name": key.Name, "limit": key.RateLimit}
	limit.Count = 200
	_, _, err = client.ProjectKeys.Update(ctx, org, "made", key.ID, &sentry.UpdateProjectKeyParams{Name: "second", RateLimit: limit})
	must("change the key", err)
	key, _, err = client.ProjectKeys.Get(ctx, org, "made", key.ID)
	must("get the key", err)
	out["key"] = map[string]any{"name": key.Name, "limit": key.RateLimit, "dsn": key.DSN.Public}
	_, err = client.ProjectKeys.Delete(ctx, org, "made", key.ID)
	must("delete the key", err)
	_, _, err = client.ProjectKeys.Get(ctx, org, "made", key.ID)
	out["keyGone"] = statusOf(err)
}

func filters() {
	on := true
	_, err := client.ProjectInboundDataFilters.Update(ctx, org, "made", "localhost", &sentry.UpdateProjectInboundDataFilterParams{Active: &on})
	must("switch a filter on", err)
	list, _, err := client.ProjectInboundDataFilters.List(ctx, org, "made")
	must("list the filters", err)
	active := map[string]bool{}
	for _, filter := range list {
		active[filter.ID] = filter.Active.BoolVal
	}
	out["filters"] = active
}

func ownership() {
	through := false
	_, _, err := client.ProjectOwnerships.Update(ctx, org, "made", &sentry.UpdateProjectOwnershipParams{
		Raw: "path:src/* #infra", FallThrough: &through, AutoAssignment: sentry.String("Auto Assign to Issue Owner")})
	must("write ownership rules", err)
	ownership, _, err := client.ProjectOwnerships.Get(ctx, org, "made")
	must("get the ownership rules", err)
	out["ownership"] = map[string]any{"raw": ownership.Raw, "assigns": ownership.AutoAssignment, "through": ownership.FallThrough}
}

func issueAlerts() {
	frequency := json.Number("30")
	alert := &sentry.IssueAlert{
		Name: sentry.String("new issues"), ActionMatch: sentry.String("any"), FilterMatch: sentry.String("all"), Frequency: &frequency,
		Conditions: []map[string]any{{"id": "sentry.rules.conditions.first_seen_event.FirstSeenEventCondition"}},
		Actions:    []map[string]any{{"id": "sentry.mail.actions.NotifyEmailAction", "targetType": "AllMembers"}},
	}
	made, _, err := client.IssueAlerts.Create(ctx, org, "made", alert)
	must("create an issue alert", err)
	alert.Name = sentry.String("renamed")
	_, _, err = client.IssueAlerts.Update(ctx, org, "made", *made.ID, alert)
	must("change the issue alert", err)
	got, _, err := client.IssueAlerts.Get(ctx, org, "made", *made.ID)
	must("get the issue alert", err)
	out["issueAlert"] = map[string]any{"name": got.Name, "conditions": got.Conditions, "actions": len(got.Actions), "frequency": got.Frequency}
	_, err = client.IssueAlerts.Delete(ctx, org, "made", *made.ID)
	must("delete the issue alert", err)
}

func metricAlerts() {
	threshold, kind := 100.0, 0
	alert := &sentry.MetricAlert{
		Name: sentry.String("many errors"), DataSet: sentry.String("events"), Query: sentry.String("level:error"),
		Aggregate: sentry.String("count()"), TimeWindow: sentry.Float64(60), ThresholdType: &kind, Projects: []string{"made"},
		Triggers: []*sentry.MetricAlertTrigger{{Label: sentry.String("critical"), AlertThreshold: &threshold,
			ThresholdType: &kind, Actions: []*sentry.MetricAlertTriggerAction{{
				Type: sentry.String("email"), TargetType: sentry.String("all_members")}}}},
	}
	made, _, err := client.MetricAlerts.Create(ctx, org, "made", alert)
	must("create a metric alert", err)
	got, _, err := client.MetricAlerts.Get(ctx, org, "made", *made.ID)
	must("get the metric alert", err)
	out["metricAlert"] = map[string]any{"name": got.Name, "aggregate": got.Aggregate, "window": got.TimeWindow, "triggers": len(got.Triggers)}
	_, err = client.MetricAlerts.Delete(ctx, org, "made", *made.ID)
	must("delete the metric alert", err)
}

func spikes() {
	action, _, err := client.NotificationActions.Create(ctx, org, &sentry.CreateNotificationActionParams{
		TriggerType: sentry.String("spike-protection"), ServiceType: sentry.String("email"), Projects: []string{"made"}})
	must("create a notification action", err)
	got, _, err := client.NotificationActions.Get(ctx, org, action.ID.String())
	must("get the notification action", err)
	out["spikes"] = got.TriggerType
	_, err = client.NotificationActions.Delete(ctx, org, action.ID.String())
	must("delete the notification action", err)
}

func deploys() {
	deploy, _, err := client.ReleaseDeployments.Create(ctx, org, "shop@1.0.0", &sentry.ReleaseDeployment{
		Environment: "production", Projects: []string{"shop"}})
	must("create a deploy", err)
	out["deploy"] = deploy.Environment
}

func members() {
	all, cursor := []string{}, ""
	for {
		page, response, err := client.OrganizationMembers.List(ctx, org, &sentry.ListCursorParams{Cursor: cursor})
		must("list members", err)
		for _, member := range page {
			all = append(all, member.Email)
			if member.Email == "bob@example.com" {
				_, _, err = client.TeamMembers.Create(ctx, org, member.ID, "infra")
				must("put the member into the team", err)
				got, _, err := client.OrganizationMembers.Get(ctx, org, member.ID)
				must("get the member", err)
				out["bob"] = map[string]any{"role": got.OrgRole, "teams": got.Teams}
				_, _, err = client.TeamMembers.Delete(ctx, org, member.ID, "infra")
				must("take the member out of the team", err)
			}
		}
		if response.Cursor == "" {
			break
		}
		cursor = response.Cursor
	}
	out["members"] = all
	invited, _, err := client.OrganizationMembers.Create(ctx, org, &sentry.CreateOrganizationMemberParams{
		Email: "new@example.com", Role: "member", Teams: []string{"infra"}})
	must("invite somebody", err)
	out["invited"] = map[string]any{"email": invited.Email, "pending": invited.Pending}
	_, err = client.OrganizationMembers.Delete(ctx, org, invited.ID)
	must("take the invitation back", err)
}

func destroyed() {
	_, err := client.Projects.RemoveTeam(ctx, org, "made", "infra")
	must("take the team from the project", err)
	_, err = client.Projects.Delete(ctx, org, "made")
	must("delete the project", err)
	_, _, err = client.Projects.Get(ctx, org, "made")
	out["projectGone"] = statusOf(err)
	_, err = client.Teams.Delete(ctx, org, "infra")
	must("delete the team", err)
	_, _, err = client.Teams.Get(ctx, org, "infra")
	out["teamGone"] = statusOf(err)
}

func statusOf(err error) any {
	if answer, ok := err.(*sentry.ErrorResponse); ok {
		return answer.Response.StatusCode
	}
	return fmt.Sprint(err)
}

func must(what string, err error) {
	if err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", what, err)
		os.Exit(1)
	}
}
