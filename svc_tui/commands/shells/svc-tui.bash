# Completion of svc-tui in bash: the program itself knows what can follow.
_svc_tui() {
    local words word description current breaks prefix="" line=${COMP_LINE:0:COMP_POINT} program=${COMP_WORDS[0]}
    # The words as they were typed: bash splits its own list at characters such as "=".
    if [[ $line == "$program"[[:space:]]* ]]; then
        read -ra words <<<"${line#"$program"}"
    else
        read -ra words <<<"$line"
        program=${words[0]} words=("${words[@]:1}")
    fi
    [[ $line == *[[:space:]] ]] && words+=("")
    # A tilde, variables and quotes in the path of the program; nothing that runs other programs.
    [[ $program == *[\`\(\)\<\>\;\|\&]* ]] || eval "program=$program" 2>/dev/null
    type -P -- "$program" >/dev/null || program=svc-tui
    current=${words[-1]}
    # What bash does not replace, because it ends with such a character; an "@" is replaced with what follows it.
    breaks=${COMP_WORDBREAKS//[^=:@]/}
    [[ -n $breaks ]] && prefix=${current%"${current##*[$breaks]}"}
    prefix=${prefix%@}
    COMPREPLY=()
    while IFS=$'\t' read -r word description; do
        if [[ $word == //files ]]; then
            if [[ $current == @* ]]; then
                # The body of a request from a file.
                while IFS= read -r word; do
                    [[ -d $word ]] && word+=/ && compopt -o nospace 2>/dev/null
                    printf -v word '@%q' "$word"
                    COMPREPLY+=("${word#"$prefix"}")
                done < <(compgen -f -- "${current#@}")
            else
                while IFS= read -r word; do
                    COMPREPLY+=("${word#"$prefix"}")
                done < <(compgen -f -- "$current")
                compopt -o filenames 2>/dev/null
            fi
        elif [[ $word == "$current"* ]]; then
            COMPREPLY+=("${word#"$prefix"}")
            [[ $word == *= ]] && compopt -o nospace 2>/dev/null
        fi
    done < <("$program" completion candidates "${words[@]}" 2>/dev/null)
}
complete -F _svc_tui svc-tui
