# Completion of svc-tui in fish: the program itself knows what can follow.
function __svc_tui_candidates
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l program $words[1]
    # A tilde and variables in the path of the program; nothing that runs other programs.
    string match -qr '[();|&<>]' -- $program; or eval set program $program 2>/dev/null
    command -sq -- $program; or set program svc-tui
    for line in ($program completion candidates $words[2..] "$current" 2>/dev/null)
        if string match -q '//files*' -- $line
            if string match -q '@*' -- $current
                printf '@%s\n' (__fish_complete_path (string sub -s 2 -- $current))
            else
                __fish_complete_path $current
            end
        else
            printf '%s\n' $line
        end
    end
end
complete -c svc-tui -f -a '(__svc_tui_candidates)'
