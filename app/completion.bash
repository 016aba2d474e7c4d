
_startle() {
  local word=${COMP_WORDS[COMP_CWORD]} proposed
  proposed=" $(_startle_proposed "${COMP_WORDS[@]:0:COMP_CWORD+1}") "
  COMPREPLY=()
  if [[ $proposed == *' <file> '* && $word != -* ]]; then
    compopt -o filenames
    mapfile -t COMPREPLY < <(compgen -f -- "$word")
    return
  fi
  mapfile -t COMPREPLY < <(compgen -W "${proposed//<file>/}" -- "$word")
}
complete -F _startle startle
