using System.CommandLine;
using System.CommandLine.Help;
using System.CommandLine.Invocation;

namespace RedisLatency.Hosting.Options;

/// <summary>
/// The commands as System.CommandLine knows them. Every value is read as text, with the loosest arity: what is wrong
/// with it is said by the catalogue, together with everything else that is wrong.
/// </summary>
internal sealed class CommandTree
{
    private readonly Dictionary<Command, ServiceCommand> _services = [];
    private readonly Dictionary<(ServiceCommand, string), Symbol> _symbols = [];

    public CommandTree(ServiceCommand root)
    {
        Root = new RootCommand(root.Purpose);
        Fill(Root, root);
    }

    public RootCommand Root { get; }

    /// <summary>One more file of settings, of whatever command.</summary>
    public Option<string[]> Config { get; } = new(SettingsFile.Option)
    {
        Recursive = true,
        Arity = ArgumentArity.ZeroOrMore,
    };

    public void Answer(Action<ParseResult> brief, Action<ParseResult> help, Action<ParseResult> version)
    {
        // The built-in help option also takes /h and /?, which are paths elsewhere than on Windows.
        Root.Options.Remove(Root.Options.OfType<HelpOption>().Single());
        Root.Options.Add(new HelpOption("--help") { Action = new PrintAction(help) });
        Root.Options.Add(Config);
        Root.Options.Add(new Option<bool>("-h", "-?") { Recursive = true, Action = new PrintAction(brief) });
        Root.Options.OfType<VersionOption>().Single().Action = new PrintAction(version);
    }

    /// <summary>Whether a shell asks for completions: <c>producer "[suggest:14]" "producer --driv"</c>.</summary>
    public bool IsCompletion(ParseResult parsed) =>
        Root.Directives.Any(directive => parsed.GetResult(directive) is not null);

    public ServiceCommand ServiceOf(Command command) => _services[command];

    public Symbol SymbolOf(ServiceCommand service, OptionDescription option) => _symbols[(service, option.Name)];

    private void Fill(Command command, ServiceCommand service)
    {
        _services[command] = service;
        command.TreatUnmatchedTokensAsErrors = false;
        // Never invoked; a command with verbs and without an action is taken for one that cannot run by itself.
        command.SetAction(_ => 0);
        foreach (var option in service.Options)
        {
            _symbols[(service, option.Name)] = option.IsArgument
                ? AddArgument(command, option)
                : AddOption(command, option);
        }

        foreach (var verb in service.Verbs)
        {
            var child = new Command(verb.Name, verb.Purpose);
            command.Subcommands.Add(child);
            Fill(child, verb);
        }
    }

    private static Argument<string[]> AddArgument(Command command, OptionDescription description)
    {
        var argument = new Argument<string[]>(description.Name)
        {
            Arity = description.IsRepeatable ? ArgumentArity.ZeroOrMore : ArgumentArity.ZeroOrOne,
        };
        command.Arguments.Add(argument);
        return argument;
    }

    private static Option AddOption(Command command, OptionDescription description)
    {
        string[] aliases = [.. description.Aliases];
        // Only an option of type bool leaves the next word alone unless that is true or false.
        Option option = description.IsFlag
            ? new Option<bool>(description.Name, aliases) { Arity = ArgumentArity.ZeroOrOne }
            : new Option<string[]>(description.Name, aliases) { Arity = ArgumentArity.ZeroOrMore };
        option.Description = description.Help;
        option.CompletionSources.Add([.. description.Choices]);
        command.Options.Add(option);
        return option;
    }
}

/// <summary>Prints something instead of running the command, whatever else is on the command line.</summary>
internal sealed class PrintAction(Action<ParseResult> print) : SynchronousCommandLineAction
{
    public override bool ClearsParseErrors => true;

    public override int Invoke(ParseResult parseResult)
    {
        print(parseResult);
        return 0;
    }
}
