using System.CommandLine;
using RedisLatency.Hosting.Options;

namespace RedisLatency.Hosting.CommandLine;

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

    public ServiceCommand ServiceOf(Command command) => _services[command];

    public Symbol SymbolOf(ServiceCommand service, OptionDescription option) => _symbols[(service, option.Name)];

    private void Fill(Command command, ServiceCommand service)
    {
        _services[command] = service;
        command.TreatUnmatchedTokensAsErrors = false;
        foreach (var option in service.Options)
        {
            _symbols[(service, option.Name)] = option.IsArgument ? AddArgument(command, option) : AddOption(command, option);
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
        string[] aliases = description.Alias is { } alias ? [alias] : [];
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
