#!/usr/bin/env bash
# GNU Units: -1.5 hours as hours and minutes are "1;30" in its terse form.
#
# With a list of units a sum is shown: -1 hr - 30 min. The terse form, for other programs, has the numbers with ";" between them, and no sign: -1.5 hours and
# 1.5 hours are the same. Of one unit, the terse form has the sign.
# Seen in units 2.22-2 of Debian.
source "$(dirname "$0")/debian.bash"
unpack units=2.22-2
for x in '1.5 hr' '-1.5 hr' '-7.5 degrees'; do
	list='hr;min'
	[[ $x == *degrees ]] && list='deg;arcmin'
	for to in "$list" "${list%;*}"; do
		for form in --one-line --terse; do echo "$form $x in $to: $(root/usr/bin/units -f root/usr/share/units/definitions.units $form -- "$x" "$to" | tr -d '\t')"; done
	done
done | tee out
diff out - <<'OUT'
--one-line 1.5 hr in hr;min: 1 hr + 30 min
--terse 1.5 hr in hr;min: 1;30
--one-line 1.5 hr in hr: * 1.5
--terse 1.5 hr in hr: 1.5
--one-line -1.5 hr in hr;min: -1 hr - 30 min
--terse -1.5 hr in hr;min: 1;30
--one-line -1.5 hr in hr: * -1.5
--terse -1.5 hr in hr: -1.5
--one-line -7.5 degrees in deg;arcmin: -7 deg - 30 arcmin
--terse -7.5 degrees in deg;arcmin: 7;30
--one-line -7.5 degrees in deg: * -7.5
--terse -7.5 degrees in deg: -7.5
OUT
echo 'as found: -1.5 hours are 1;30'
