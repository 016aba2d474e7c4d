# Completion of the command startle. Made from the options of the programs when they were built.

# _startle_words 'startle levels generate --family': what may stand there. Fails for what takes nothing.
_startle_words() {
  case $1 in
@CASES@
    *) return 1 ;;
  esac
}

# _startle_proposed WORD...: what may stand in the place of the last word, after the others.
_startle_proposed() {
  local command=startle previous= word
  shift
  while [ $# -gt 1 ]; do
    case $1 in
      -*) ;;
      *) [ "$command $1" = 'startle probe' ] && command='startle surprise'
        word=" $(_startle_words "$command") "
        case $word in *" $1 "*) command="$command $1" ;; esac ;;
    esac
    previous=$1
    shift
  done
  case $previous in -*) _startle_words "$command $previous" && return ;; esac
  _startle_words "$command"
}
