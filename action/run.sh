#!/usr/bin/env bash
# The one step of action.yml. Every input is a variable, every variable is quoted, and the exit code is hotato's.
set -uo pipefail

readonly REFUSED=2

# refuse SENTENCE: the step ends as hotato ends where it refuses, and says so on the job's page.
refuse() {
  printf 'hotato action: %s\n' "$1" >&2
  printf '### hotato: refused\n\n<pre>%s</pre>\n' "$(plain "$1")" >> "$GITHUB_STEP_SUMMARY"
  finish "$REFUSED"
}

# plain TEXT: no markup in it.
plain() {
  local text=$1
  # Quoted, because newer bash takes a bare & for what was found.
  text=${text//&/"&amp;"}
  text=${text//</"&lt;"}
  text=${text//>/"&gt;"}
  printf '%s' "$text"
}

# tell NAME VALUE: an output of the step. A value has no line break, so it cannot begin another output.
tell() {
  printf '%s=%s\n' "$1" "${2//[$'\r\n']/ }" >> "$GITHUB_OUTPUT"
}

# finish CODE: what every way out has in common.
finish() {
  local status=refused
  [[ $1 == 0 ]] && status=pass
  [[ $1 == 1 ]] && status=fail
  tell exit-code "$1"
  tell status "$status"
  exit "$1"
}

# require_path NAME VALUE: a path inside the workspace, which no program can take for a flag.
require_path() {
  [[ -z $2 ]] && return
  case "/$2/" in
    /-*) refuse "the input $1 begins with a hyphen" ;;
    *[[:cntrl:]]*) refuse "the input $1 has a line break or another control character in it" ;;
    //* | */../* ) refuse "the input $1 has to lie in the workspace: no absolute path, no '..'" ;;
  esac
}

# make_output: the folder OUT, new with this run and inside the one that the input names. What lay there before, of an
# earlier run or of the commit, is never told as a result, and nothing is written through a link.
make_output() {
  local part path=. rest=$INPUT_OUTPUT/
  while [[ -n $rest ]]; do
    part=${rest%%/*}
    rest=${rest#*/}
    path=$path/$part
    [[ -L $path ]] && refuse "a part of the input output is a link: $path"
  done
  mkdir -p "./$INPUT_OUTPUT" || refuse "the folder for the output cannot be made"
  OUT=$(mktemp -d "./$INPUT_OUTPUT/run-XXXXXXXX") && chmod 755 "$OUT" || refuse "the folder for the output cannot be made"
  OUT=${OUT#./}
}

lane() {
  local given=()
  [[ -n $INPUT_SUITE ]] && refuse "the input suite is not in this version; use contracts, or scenarios and audio"
  [[ -n $INPUT_TEST ]] && refuse "the input test is not in this version; use contracts, or scenarios and audio"
  [[ -n $INPUT_CONTRACTS ]] && given+=(contracts)
  [[ -n $INPUT_SCENARIOS$INPUT_AUDIO ]] && given+=(scenarios)
  [[ -n $INPUT_AUTOPSY ]] && given+=(autopsy)
  [[ ${#given[@]} -eq 1 ]] || refuse "give exactly one of the inputs contracts, scenarios (with audio), and autopsy"
  LANE=${given[0]}
  if [[ $LANE == scenarios && ( -z $INPUT_SCENARIOS || -z $INPUT_AUDIO ) ]]; then
    refuse "the inputs scenarios and audio belong together"
  fi
}

# get_hotato: put the chosen hotato on the path, in an environment of its own.
get_hotato() {
  local wanted=$INPUT_HOTATO environment
  case $wanted in
    preinstalled)
      command -v hotato > /dev/null || refuse "the input hotato is 'preinstalled' and there is no hotato on the path"
      return ;;
    action) wanted=$ACTION_FOLDER ;;
    -* | *[[:cntrl:]]* | "") refuse "the input hotato is no pip requirement" ;;
    *[@/]*) ;;
    *) refuse "the input hotato asks the package index, where another program has this name; name a URL or a file" ;;
  esac
  environment=${RUNNER_TEMP:-/tmp}/hotato-env
  { python3 -m venv "$environment" && "$environment/bin/python" -m pip install --disable-pip-version-check --quiet "$wanted"; } \
    || refuse "hotato could not be installed; the log says why"
  PATH=$environment/bin:$PATH
}

# gate WORDS...: one gate of hotato, with everything that it can leave for others.
gate() {
  local code
  "$@" --junit "$OUT/junit.xml" --sarif "$OUT/hotato.sarif" --pr-comment "$OUT/comment.md" \
    --step-summary --force --format json > "$OUT/result.json"
  code=$?
  tell result "$OUT/result.json"
  local name
  for name in junit:junit.xml sarif:hotato.sarif comment:comment.md; do
    [[ -f $OUT/${name#*:} ]] && tell "${name%%:*}" "$OUT/${name#*:}"
  done
  if [[ $code != 0 ]]; then
    "$@"  # the same as text, for whoever reads the log
    [[ -f $OUT/junit.xml ]] || summarise "$OUT/result.json"
  fi
  finish "$code"
}

# summarise FILE: what was printed, on the job's page, as text and not as markup.
summarise() {
  printf '### hotato\n\n<pre>%s</pre>\n' "$(plain "$(head -c 60000 "$1")")" >> "$GITHUB_STEP_SUMMARY"
}

# sounds NAME: whether a file's name ends like that of a recording, in letters of any case.
sounds() {
  local ending
  [[ $1 == *.* ]] || return
  ending=$(printf '%s' "${1##*.}" | LC_ALL=C tr 'A-Z' 'a-z')
  case $ending in
    wav | wave | w64 | rf64 | bwf | flac | mp1 | mp2 | mp3 | mpga | ogg | oga | opus | spx | m4a | m4b | aac | adts | webm | weba) ;;
    mka | aif | aiff | aifc | au | snd | caf | amr | awb | wma | asf | 3gp | 3gpp | 3g2 | gsm | ac3 | voc | raw | pcm | ulaw | alaw) ;;
    *) return 1 ;;
  esac
}

# probes NAME: whether a file begins as a recording does, whatever its name.
probes() {
  local head
  [[ -f ./$1 && ! -L ./$1 ]] || return
  head=$(head -c 16 < "./$1" | LC_ALL=C od -An -v -tx1 | tr -d ' \n')
  case $head in
    52494646????????57415645* | 52463634* | 42573634* | 52494658* | 72696666* ) ;;  # the family of RIFF
    664c6143* | 4f676753* | 494433* | 464f524d????????41494646* | 464f524d????????41494643* ) ;;  # FLAC, Ogg, ID3, AIFF
    2e736e64* | 646e732e* | 63616666* | 2321414d52* | 1a45dfa3* | 3026b275* | 464c5601* ) ;;  # AU, CAF, AMR, WebM, ASF, FLV
    fff[2-7ab]* | ffe[2-7ab]* | fff[189]* ) ;;  # frames of MPEG audio
    ????????667479704d3441* | ????????667479704d3442* | ????????667479706d7034* | ????????6674797069736f* ) ;;  # MP4
    ????????6674797064617368* | ????????66747970336770* | ????????66747970336732* | ????????6674797071742020* ) ;;
    *) return 1 ;;
  esac
}

# pinned NAME: whether a file is the clip of a bundle that is what it was sealed as: a gate of contracts measures it.
pinned() {
  local bundle said code
  case $1 in
    *.hotato/audio/event.flac | *.hotato/audio/event.wav) bundle=${1%/audio/event.*} ;;
    *) return 1 ;;
  esac
  said=$(hotato contract verify "./$bundle" --format json 2> /dev/null)
  code=$?
  [[ $code == 0 || $code == 1 ]] && [[ $said == *'"tampered": 0,'* && $said == *'"refused": 0,'* ]]
}

# recordings: the files to open into the array FILES.
recordings() {
  local name
  FILES=()
  if [[ $INPUT_AUTOPSY == changed ]]; then
    [[ ${BASE_REVISION:-} =~ ^[0-9a-f]{40,64}$ && ! $BASE_REVISION =~ ^0+$ ]] \
      || refuse "the input autopsy is 'changed' and this event has no revision to compare with; name the recordings"
    git rev-parse --verify --quiet "$BASE_REVISION^{commit}" > /dev/null \
      || refuse "the revision to compare with is not here; check out with fetch-depth: 0"
    git diff --name-only -z --no-renames --diff-filter=d "$BASE_REVISION...HEAD" > "$OUT/changed" 2> /dev/null \
      || refuse "git cannot say what has changed"
    while IFS= read -r -d '' name; do
      sounds "$name" || probes "$name" || continue
      [[ -L ./$name ]] && refuse "a changed recording is a link, and may lead anywhere: ${name//[[:cntrl:]]/?}"
      pinned "$name" || FILES+=("$name")
    done < "$OUT/changed"
    rm -f "$OUT/changed"
    return
  fi
  while IFS= read -r name; do
    name=${name%$'\r'}
    [[ -z $name ]] && continue
    require_path autopsy "$name"
    FILES+=("$name")
  done <<< "$INPUT_AUTOPSY"
  [[ ${#FILES[@]} -gt 0 ]] || refuse "the input autopsy names no recording"
}

# autopsies: open every recording; 1 where one fails, else 2 where one is refused, else 0.
autopsies() {
  local name code worst=0 count=0 stack=()
  case $INPUT_FAIL_ON in critical | warning | never) ;; *) refuse "the input fail-on is critical, warning or never" ;; esac
  [[ -n $INPUT_STACK ]] && stack=("--stack=$INPUT_STACK")
  recordings
  mkdir -p "$OUT/autopsy"
  tell result "$OUT/autopsy"
  for name in ${FILES[@]+"${FILES[@]}"}; do
    count=$((count + 1))
    hotato autopsy "./$name" --fail-on "$INPUT_FAIL_ON" --output-dir "$OUT/autopsy" --no-open --force \
      ${stack[@]+"${stack[@]}"} > "$OUT/autopsy/$count.txt" 2>&1
    code=$?
    cat "$OUT/autopsy/$count.txt"
    summarise "$OUT/autopsy/$count.txt"
    [[ $code == 0 || $worst == 1 ]] || worst=$code
  done
  if [[ $count == 0 ]]; then
    printf '### hotato\n\nno recording has changed\n' >> "$GITHUB_STEP_SUMMARY"
    printf 'no recording has changed\n'
  fi
  finish "$worst"
}

lane
require_path output "$INPUT_OUTPUT"
[[ -n $INPUT_OUTPUT ]] || refuse "the input output is empty"
require_path contracts "$INPUT_CONTRACTS"
require_path scenarios "$INPUT_SCENARIOS"
require_path audio "$INPUT_AUDIO"
get_hotato
make_output
tell output "$OUT"
tell hotato-version "$(hotato --version | cut -d ' ' -f 2)"
case $LANE in
  contracts) gate hotato contract verify "./$INPUT_CONTRACTS" ;;
  scenarios) gate hotato run --scenarios "./$INPUT_SCENARIOS" --audio "./$INPUT_AUDIO" ${INPUT_STACK:+"--stack=$INPUT_STACK"} ;;
  autopsy) autopsies ;;
esac
