using System.Globalization;
using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Targets;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Reports.Values;

namespace RedisLatency.Replication.ReplicatorDelayTest;

internal static class OriginalCatalogue
{
    private const long MostKeys = 10_000_000;

    public static OptionCatalogue<OriginalOptions> Create() =>
        new OptionCatalogue<OriginalOptions>("Original")
            .AddArgument("HOST", o => o.Host, Syntax.Text("HOST"),
                "The server; rediss://HOST speaks TLS")
            .AddArgument("PORT", o => o.Port, Syntax.SmallCount(1, 65_535), "Its port")
            .AddArgument("PASSWORD", o => o.Password, Syntax.AnyText("PASSWORD"),
                "PASSWORD or USER:PASSWORD, which the process list shows to everybody here; better @FILE, its first "
                + "line, or - for the variable REDISCLI_AUTH or else the first line of standard input (empty: no "
                + "password)",
                mask: OptionMask.Whole)
            .AddArgument(
                "KEYNUMBER", o => o.Keys, Syntax.Count(1, MostKeys, "keys"), "How many keys, the same on both sides")
            .AddArgument("SIDE", o => o.Side, Syntax.Choice<OriginalSide>(),
                "get reads at the destination and is started first; set writes at the source")
            .Include(TargetCatalogue.CreateTls(), o => o.Tls)
            .Group("Writing (set)")
            .Add("--rate", o => o.Rate, Syntax.Number(0.01, 1_000_000, "keys per second"), "How fast keys are written")
            .Add("--first-key", o => o.FirstKey, Syntax.SmallCount(0, 1), "The number of the first key")
            .Add("--expiry", o => o.Expiry, Syntax.Duration(TimeSpan.FromSeconds(1)),
                "How long keys live; nothing else removes them, and nothing is flushed")
            .Add("--overwrite", o => o.Overwrite, Syntax.Flag,
                "Overwrite keys of these names even if they hold no time stamp of such a test")
            .Group("Reading (get)")
            .Add("--first-timeout", o => o.FirstTimeout, Syntax.Duration(TimeSpan.FromMilliseconds(1)),
                "How long to wait for the first key")
            .Add("--deadline", o => o.Deadline, Syntax.Duration(TimeSpan.FromMilliseconds(1)),
                "After this long without another key the rest counts as missing")
            .Add("--poll-interval", o => o.PollInterval, Syntax.Duration(most: TimeSpan.FromSeconds(10)),
                "Time between two polls of the server; 0 polls without pause");
}

internal static class OriginalTarget
{
    public static RedisEndpoint Resolve(
        OriginalOptions options, IReadOnlyDictionary<string, string> environment, Func<string, string?> readLine)
    {
        if (options.Host.Split(':') is [_, var port] && port.Length > 0 && port.All(char.IsAsciiDigit))
            throw new ConfigurationException($"HOST {options.Host}: without the port, which is a word of its own");
        var host = options.Host.Contains("://", StringComparison.Ordinal) || !options.Host.Contains(':')
            ? options.Host
            : $"[{options.Host.Trim('[', ']')}]";
        var text = string.Create(CultureInfo.InvariantCulture, $"{host.TrimEnd('/')}:{options.Port}");
        if (!RedisEndpoint.TryParse(text, out var endpoint, out var problem))
            throw new ConfigurationException($"HOST: {problem}");
        TargetResolution.RequireTls(options.Tls, endpoint);
        endpoint = TargetResolution.WithTls(endpoint, options.Tls);
        var credentials = options.Password switch
        {
            "-" => environment.GetValueOrDefault(PasswordSources.EnvironmentVariable) ?? readLine(endpoint.Address)
                ?? string.Empty,
            ['@', .. var file] => TargetResolution.ReadPassword($"PASSWORD @{file}", file),
            var typed => typed,
        };
        return credentials.Length == 0 ? endpoint : WithCredentials(endpoint, credentials);
    }

    private static RedisEndpoint WithCredentials(RedisEndpoint endpoint, string credentials)
    {
        var colon = credentials.IndexOf(':', StringComparison.Ordinal);
        return endpoint with
        {
            User = colon > 0 ? credentials[..colon] : null,
            Password = new RedisPassword(credentials[(colon + 1)..]),
        };
    }
}
