using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Running;
using RedisLatency.Reports.Values;

namespace RedisLatency.Tool;

/// <summary>
/// The verb <c>completion SHELL</c>: a script for a shell to read, which asks this program what may stand at the
/// cursor (System.CommandLine's directive <c>[suggest:POSITION]</c>).
/// </summary>
internal static class CompletionScript
{
    // Without a word of it the shell completes file names.
    private const string Bash = """
        _redis_latency() {
            local words
            words=$(redis-latency "[suggest:$COMP_POINT]" "$COMP_LINE" 2>/dev/null)
            COMPREPLY=($(compgen -W "$words" -- "${COMP_WORDS[COMP_CWORD]}"))
        }
        complete -o default -F _redis_latency redis-latency
        """;

    private const string Zsh = """
        #compdef redis-latency
        _redis_latency() {
            local -a words_here
            words_here=("${(@f)$(redis-latency "[suggest:$CURSOR]" "$BUFFER" 2>/dev/null)}")
            compadd -- $words_here || _files
        }
        compdef _redis_latency redis-latency
        """;

    private const string Fish = """
        function __redis_latency
            set -l line (commandline -cp)
            redis-latency "[suggest:"(string length -- "$line")"]" "$line" 2>/dev/null
        end
        complete -c redis-latency -a '(__redis_latency)'
        """;

    private const string PowerShell = """
        Register-ArgumentCompleter -Native -CommandName redis-latency -ScriptBlock {
            param($word, $line, $position)
            redis-latency "[suggest:$position]" "$line" | Where-Object { $_ -like "$word*" } | ForEach-Object {
                [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
            }
        }
        """;

    public static ServiceCommand Create() => new ServiceCommand<CompletionOptions>(
        "completion",
        "Prints the completion script of a shell.",
        new OptionCatalogue<CompletionOptions>("Completion")
            .AddArgument("SHELL", o => o.Shell, Syntax.Choice<Shell>(), "bash, zsh, fish or powershell"),
        (run, _) =>
        {
            run.Surroundings.Output.WriteLine(Of(run.Options.Values.Shell));
            return Task.FromResult(ExitCode.Valid);
        })
    {
        Examples =
        [
            new("For every bash from now on", "completion bash >> ~/.bashrc"),
            new("For every PowerShell from now on", "completion powershell >> $PROFILE"),
        ],
    };

    private static string Of(Shell shell) => shell switch
    {
        Shell.Bash => Bash,
        Shell.Zsh => Zsh,
        Shell.Fish => Fish,
        _ => PowerShell,
    };
}

internal enum Shell
{
    Bash,
    Zsh,
    Fish,
    Powershell,
}

internal sealed class CompletionOptions
{
    public Shell Shell { get; set; }
}
