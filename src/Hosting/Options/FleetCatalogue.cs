using System.Globalization;
using RedisLatency.Hosting.Targets;
using RedisLatency.Reports.Values;

namespace RedisLatency.Hosting.Options;

/// <summary>The options of processes that measure as one; every service that can includes them.</summary>
public static class FleetCatalogue
{
    /// <summary>The most members that a run may have.</summary>
    public const int MostMembers = 10_000;

    private const string Group = "Several processes as one";

    private static readonly TimeSpan LongestWait = TimeSpan.FromHours(1);

    /// <summary>The options of the group, in the section Fleet.</summary>
    /// <param name="role">What a member does, in one word: <c>load</c>.</param>
    public static OptionCatalogue<FleetOptions> Create(string role) =>
        new OptionCatalogue<FleetOptions>("Fleet")
            .Group(Group)
            .Add("--expect", o => o.Expect, Expected(role),
                $"How many processes measure together as the run that --run names, for instance {role}=4: they share "
                + "out the work, start together and add up",
                shownDefault: "this one alone")
            .Add("--member", o => o.Member, Syntax.SmallCount(0, MostMembers - 1).Optional(),
                "Which of them this is, from 0",
                shownDefault: "the variable JOB_COMPLETION_INDEX, else one that is free")
            .Include(CreateControl("the first --redis"), o => o)
            .Add("--peer-timeout", o => o.PeerTimeout, Syntax.Duration(most: LongestWait),
                "How long to wait until all of them are there")
            .Rule(["--member", "--control", "--control-password-file"], o => o.Expect is null
                && (o.Member is not null || o.Control is not null || o.ControlPasswordFile is not null)
                ? "is for one of several processes; --expect says how many they are"
                : null)
            .Rule(["--member", "--expect"], o => o.Expect <= o.Member
                ? "members are counted from 0"
                : null);

    /// <summary>The Redis where they meet, in the section Fleet.</summary>
    /// <param name="shownDefault">Which it is by default.</param>
    public static OptionCatalogue<FleetOptions> CreateControl(string shownDefault) =>
        new OptionCatalogue<FleetOptions>("Fleet")
            .Group(Group)
            .Add("--control", o => o.Control, Syntax.OptionalText("ENDPOINT", EndpointSyntax.Problem),
                "The Redis where they meet", mask: EndpointSyntax.Mask, shownDefault: shownDefault)
            .Add("--control-password-file", o => o.ControlPasswordFile, Syntax.OptionalText("FILE"),
                "Read its password from the first line of a file");

    private static ValueSyntax<int?> Expected(string role)
    {
        var prefix = role + "=";
        return new(
            $"{prefix}NUMBER",
            text =>
            {
                var number = text.StartsWith(prefix, StringComparison.Ordinal) ? text[prefix.Length..] : text;
                return int.TryParse(number, NumberStyles.None, CultureInfo.InvariantCulture, out var count)
                    && count is > 0 and <= MostMembers
                    ? ValueReading.Of<int?>(count)
                    : ValueReading.Wrong<int?>($"{prefix}NUMBER is needed, from 1 to {MostMembers:#,0}");
            },
            count => count is { } known ? prefix + known.ToString(CultureInfo.InvariantCulture) : null);
    }
}
