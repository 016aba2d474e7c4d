
_startle() {
  local word=${COMP_WORDS[COMP_CWORD]} proposed
  proposed=" $(_startle_proposed "${COMP_WORDS[@]:0:COMP_CWORD+1}") "
  COMPREPLY=()
  case $proposed in *' <file> '*)
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen -f -- "$word") ;;
  esac
  case $proposed in *' <file> '*) case $word in -*) ;; *) return ;; esac ;; esac
  mapfile -t COMPREPLY < <(compgen -W "${proposed//<file>/}" -- "$word")
}
complete -F _startle startle
