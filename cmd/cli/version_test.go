package cli

import (
	"runtime/debug"
	"testing"
)

// The version names the commit, wherever the build has it from.
func TestVersion(t *testing.T) {
	vcs := func(modified string) []debug.BuildSetting {
		return []debug.BuildSetting{{Key: "vcs.revision", Value: "0123456789abcdef0123"}, {Key: "vcs.time", Value: "2026-11-22T20:13:04Z"}, {Key: "vcs.modified", Value: modified}}
	}
	for _, c := range []struct {
		version  string
		settings []debug.BuildSetting
		want     string
	}{
		{"", nil, "development version"},
		{"(devel)", nil, "development version"},
		{"(devel)", vcs("false"), "development version, commit 0123456789ab, 2026-11-22"},
		{"v0.0.0-20261122201304-0123456789ab", vcs("false"), "development version, commit 0123456789ab, 2026-11-22"},
		{"v1.2.4-0.20261122201304-0123456789ab+dirty", vcs("true"), "development version, commit 0123456789ab with changes, 2026-11-22"},
		{"v0.0.0-20261122201304-0123456789ab", nil, "development version, commit 0123456789ab, 2026-11-22"},
		{"v1.2.3", vcs("false"), "v1.2.3, commit 0123456789ab, 2026-11-22"},
		{"v1.2.3", nil, "v1.2.3"},
	} {
		info := &debug.BuildInfo{Main: debug.Module{Version: c.version}, Settings: c.settings}
		if got := versionOf(info); got != c.want {
			t.Errorf("%q: %q, want %q", c.version, got, c.want)
		}
	}
}
