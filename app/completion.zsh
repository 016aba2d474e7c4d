
local proposed
proposed=(${=:-"$(_startle_proposed "${(@)words[1,CURRENT]}")"})
(( ${proposed[(I)<file>]} )) && _files
compadd -- ${proposed:#<file>}
