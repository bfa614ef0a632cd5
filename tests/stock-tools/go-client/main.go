// What a team scripts with github.com/atlassian/go-sentry-api: members, teams, and an issue with its activity.
// It prints what the client decoded, as JSON.
package main

import (
	"encoding/json"
	"fmt"
	"os"

	sentry "github.com/atlassian/go-sentry-api"
)

func main() {
	endpoint := os.Getenv("SENTRY_URL") + "/api/0/"
	client, err := sentry.NewClient(os.Getenv("SENTRY_AUTH_TOKEN"), &endpoint, nil)
	must("make the client", err)
	org := orgNamed(client, os.Getenv("SENTRY_ORG"))
	project, err := client.GetProject(org, os.Getenv("SENTRY_PROJECT"))
	must("get the project", err)
	out := map[string]any{}
	people(client, org, out)
	issues(client, org, project, out)
	must("print", json.NewEncoder(os.Stdout).Encode(out))
}

func orgNamed(client *sentry.Client, slug string) sentry.Organization {
	org, err := client.GetOrganization(slug)
	must("get the organization", err)
	return org
}

func people(client *sentry.Client, org sentry.Organization, out map[string]any) {
	slug := "go-team"
	team, err := client.CreateTeam(org, "Go team", &slug)
	must("create a team", err)
	member, err := client.GetMemberByEmail(org, "bob@example.com")
	must("find a member", err)
	must("add the member to the team", client.AddExistingMemberToTeam(org, team, member))
	member, err = client.GetOrganizationMember(*org.Slug, *member.ID)
	must("get the member", err)
	out["member"] = member
	name := "Go people"
	team.Name = name
	must("rename the team", client.UpdateTeam(org, team))
	team, err = client.GetTeam(org, slug)
	must("get the team", err)
	out["team"] = team
	projects, err := client.GetTeamProjects(org, team)
	must("list the projects of the team", err)
	out["teamProjects"] = len(projects)
	invited, err := client.CreateMember(org, "new@example.com")
	must("invite somebody", err)
	out["invited"] = invited
	must("take the invitation back", client.DeleteMember(org, invited))
	must("delete the team", client.DeleteTeam(org, team))
	teams, _, err := client.GetTeams(org)
	must("list the teams", err)
	out["teams"] = teams
}

func issues(client *sentry.Client, org sentry.Organization, project sentry.Project, out map[string]any) {
	query := "is:unresolved"
	found, _, err := client.GetIssues(org, project, nil, nil, &query)
	must("list the issues", err)
	if len(found) != 1 {
		must("find the one issue", fmt.Errorf("found %d", len(found)))
	}
	ignored, resolved := sentry.Ignored, sentry.Resolved
	must("ignore the issue", client.UpdateIssue(sentry.Issue{ID: found[0].ID, Status: &ignored}))
	_, err = client.BulkMutateIssues(org, project, sentry.IssueBulkRequest{Status: &resolved}, &[]string{*found[0].ID}, nil)
	must("resolve the issue", err)
	issue, err := client.GetIssue(*found[0].ID)
	must("get the issue", err)
	out["issue"] = issue
	hashes, _, err := client.GetIssueHashes(issue)
	must("list the hashes", err)
	out["hashes"] = len(hashes)
	tags, _, err := client.GetIssueTags(issue)
	must("list the tags", err)
	out["tags"] = len(tags)
	events, _, err := client.GetIssueEvents(issue)
	must("list the events", err)
	out["events"] = len(events)
}

func must(what string, err error) {
	if err == nil {
		return
	}
	fmt.Fprintf(os.Stderr, "%s: %v\n", what, err)
	os.Exit(1)
}
