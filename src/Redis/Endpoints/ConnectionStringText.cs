using System.Globalization;
using StackExchange.Redis;

namespace RedisLatency.Redis.Endpoints;

/// <summary>
/// Reads StackExchange.Redis connection strings: <c>host:port,key=value,…</c>. What only tunes that client goes to it
/// as it is; what would change where or how to connect and is not supported is an error.
/// Source of the keys: ConfigurationOptions.OptionKeys of StackExchange.Redis 3.4.35.
/// </summary>
internal static class ConnectionStringText
{
    private static readonly string[] Used =
    [
        "password", "user", "ssl", "sslHost", "defaultDatabase", "connectTimeout", "syncTimeout", "asyncTimeout",
        "responseTimeout", "name",
    ];

    private static readonly string[] OfTheClient =
    [
        "abortConnect", "allowAdmin", "channelPrefix", "checkCertificateRevocation", "configChannel",
        "configCheckSeconds", "connectRetry", "highIntegrity", "highPriorityThreads", "keepAlive",
        "preserveAsyncOrder", "protocol", "resolveDns", "setlib", "sslProtocols", "tcpKeepAlive", "tieBreaker",
        "version", "writeBuffer",
    ];

    private static readonly string[] Unsupported =
        ["serviceName", "sentinelUser", "sentinelPassword", "proxy", "tunnel"];

    public static RedisEndpoint Read(string text, List<string> errors)
    {
        var endpoint = new RedisEndpoint();
        var forTheClient = new List<string>();
        var hosts = 0;
        var afterPassword = false;
        foreach (var part in text.Split(',', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries))
        {
            var equals = part.IndexOf('=');
            if (equals < 0 && hosts == 0)
            {
                hosts++;
                endpoint = EndpointText.ReadHostAndPort(part, endpoint, errors);
            }
            else if (equals < 0)
            {
                errors.Add(afterPassword ? CommaInPassword : SeveralHosts);
            }
            else
            {
                var key = part[..equals].TrimEnd();
                endpoint = ReadOption(key, part[(equals + 1)..].TrimStart(), afterPassword, endpoint, errors);
                if (key.Equals("password", StringComparison.OrdinalIgnoreCase))
                    afterPassword = true;
                else
                    forTheClient.Add(part);
            }
        }

        if (hosts == 0)
            errors.Add("the connection string names no host: host:port,password=…,ssl=True");
        return endpoint with { ClientOptions = string.Join(',', forTheClient) };
    }

    private const string CommaInPassword =
        "after the password stands something that is no option: a comma in a password needs the form "
        + "redis://:password@host:port with %2C for it";

    private const string SeveralHosts =
        $"only one host:port is supported here: write {TopologyText.ClusterForm} or {TopologyText.SentinelForm}";

    private static string HintFor(string key) =>
        key.Equals("serviceName", StringComparison.OrdinalIgnoreCase) ? $": write {TopologyText.SentinelForm}" : "";

    private static RedisEndpoint ReadOption(
        string key, string value, bool afterPassword, RedisEndpoint endpoint, List<string> errors)
    {
        switch (key.ToLowerInvariant())
        {
            case "password":
                return endpoint with { Password = value.Length == 0 ? null : new RedisPassword(value) };
            case "user":
                return endpoint with { User = value.Length == 0 ? null : value };
            case "ssl":
                return endpoint with { UseTls = ReadBoolean(value, errors) };
            case "sslhost":
                return endpoint with { Tls = endpoint.Tls with { ServerName = value } };
            case "defaultdatabase":
                return endpoint with { Database = EndpointText.ReadDatabase(value, errors) };
            case "connecttimeout":
                return endpoint with { ConnectTimeout = ReadMilliseconds(key, value, errors) };
            case "synctimeout" or "asynctimeout" or "responsetimeout":
                return endpoint with { CommandTimeout = ReadMilliseconds(key, value, errors) };
            case "name":
                return endpoint with { ClientName = value };
        }

        if (Unsupported.Contains(key, StringComparer.OrdinalIgnoreCase))
            errors.Add($"the option '{key}' is not supported{HintFor(key)}");
        else if (!OfTheClient.Contains(key, StringComparer.OrdinalIgnoreCase))
            errors.Add(UnknownKey(key, afterPassword));
        else if (!IsReadByTheClient(key, value))
            errors.Add($"{key}: StackExchange.Redis does not take its value");
        return endpoint;
    }

    private static bool IsReadByTheClient(string key, string value)
    {
        try
        {
            return ConfigurationOptions.Parse($"{key}={value}") is not null;
        }
        catch (ArgumentException)
        {
            return false;
        }
    }

    // Behind a password an unknown key may be the rest of that password, and what is no word a whole address with one:
    // neither is repeated. Nor is a value.
    private static string UnknownKey(string key, bool afterPassword)
    {
        var (nearest, distance) = Used.Concat(OfTheClient).Select(known => (known, EditDistance(key, known)))
            .MinBy(candidate => candidate.Item2);
        if (afterPassword)
            return distance <= 2 ? $"an option is not known: did you mean '{nearest}'?" : CommaInPassword;
        return key.All(char.IsAsciiLetter)
            ? $"the option '{key}' is not known: did you mean '{nearest}'?"
            : "an option's name is a word, as in host:port,password=…,ssl=True";
    }

    private static bool ReadBoolean(string value, List<string> errors)
    {
        switch (value.ToLowerInvariant())
        {
            case "true" or "yes" or "on" or "1":
                return true;
            case "false" or "no" or "off" or "0":
                return false;
            default:
                errors.Add("ssl: true or false");
                return false;
        }
    }

    private static TimeSpan? ReadMilliseconds(string key, string value, List<string> errors)
    {
        if (int.TryParse(value, NumberStyles.None, CultureInfo.InvariantCulture, out var number) && number > 0)
            return TimeSpan.FromMilliseconds(number);
        errors.Add($"{key}: whole milliseconds from 1");
        return null;
    }

    // Levenshtein's distance, letters compared without case.
    private static int EditDistance(string left, string right)
    {
        var row = Enumerable.Range(0, right.Length + 1).ToArray();
        for (var i = 1; i <= left.Length; i++)
        {
            var diagonal = row[0];
            row[0] = i;
            for (var j = 1; j <= right.Length; j++)
            {
                var same = char.ToLowerInvariant(left[i - 1]) == char.ToLowerInvariant(right[j - 1]);
                (diagonal, row[j]) = (row[j], Math.Min(Math.Min(row[j], row[j - 1]) + 1, diagonal + (same ? 0 : 1)));
            }
        }

        return row[right.Length];
    }
}
