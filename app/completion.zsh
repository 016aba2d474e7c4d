
local proposed
proposed=($(_startle_proposed "${(@)words[1,CURRENT]}"))
if (( ${proposed[(Ie)<file>]} )); then _files; fi
compadd -- ${proposed:#\<file\>}
