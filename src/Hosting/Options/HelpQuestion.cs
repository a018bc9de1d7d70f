using RedisLatency.Hosting.Running;
using RedisLatency.Reports.Output;
using RedisLatency.Reports.Values;

namespace RedisLatency.Hosting.Options;

/// <summary><c>help WORD</c>: what a verb or an option is for; after whatever has verbs.</summary>
internal sealed class HelpQuestion
{
    private const string Help = "help";

    private readonly List<ServiceCommand> _path;
    private readonly IReadOnlyList<string> _words;

    private HelpQuestion(List<ServiceCommand> path, IReadOnlyList<string> words) => (_path, _words) = (path, words);

    /// <summary>The question that was typed, or null where none was.</summary>
    public static HelpQuestion? In(ServiceCommand root, IReadOnlyList<string> arguments)
    {
        var path = Follow([root], arguments);
        var next = path.Count - 1;
        return next < arguments.Count && arguments[next] == Help && path[^1].Verbs.Count > 0
            ? new(path, [.. arguments.Skip(next + 1)])
            : null;
    }

    public int Answer(CommandSurroundings surroundings, Func<string, string?> elsewhere)
    {
        var path = Follow(_path, _words);
        var rest = _words.Skip(path.Count - _path.Count).ToArray();
        if (path[^1] is ForeignCommand foreign)
            return foreign.Handle(["--help"], surroundings);
        if (rest.Length == 0)
        {
            new HelpText(path, surroundings).WriteAll();
            return ExitCode.Valid;
        }

        var name = rest[0].TrimStart('-');
        var takers = Below(path)
            .SelectMany(taker => taker[^1].Options.Where(IsMeant), (taker, option) => (Path: taker, Option: option))
            .ToArray();
        // One that all take alike is explained once, for the first.
        foreach (var (taker, option) in takers.DistinctBy(taker => (taker.Option.Help, taker.Option.Default)))
            new HelpText(taker, surroundings).WriteOption(option);
        if (takers.Length > 0)
            return ExitCode.Valid;

        var known = Below(path).SelectMany(below => below[^1].Options.Where(option => !option.IsArgument)
            .Select(option => option.Name).Concat(below[^1].Verbs.Select(verb => verb.Name)));
        var near = NearestName.Of(name, known.Select(one => one.TrimStart('-'))) ?? elsewhere(name);
        surroundings.Error.WriteLine(
            $"no verb or option is called '{PlainText.Clean(rest[0])}'"
            + (near is null ? "; --help has all of them" : $"; did you mean {near}?"));
        return ExitCode.Usage;

        bool IsMeant(OptionDescription option) =>
            !option.IsArgument && option.Names.Any(known => known.TrimStart('-') == name);
    }

    private static List<ServiceCommand> Follow(List<ServiceCommand> path, IReadOnlyList<string> words)
    {
        List<ServiceCommand> followed = [.. path];
        foreach (var word in words)
        {
            if (followed[^1].Verbs.FirstOrDefault(verb => verb.Name == word) is not { } verb)
                break;
            followed.Add(verb);
        }

        return followed;
    }

    private static IEnumerable<List<ServiceCommand>> Below(List<ServiceCommand> path) =>
        path[^1].Verbs.SelectMany(verb => Below([.. path, verb])).Prepend(path);
}
